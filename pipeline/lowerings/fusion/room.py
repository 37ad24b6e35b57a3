"""Decides when to free memory during a run: the fewest gaps between uses for which memory stays below a limit.

Runs repeat: after the last use of one run comes the first use of the next. Positions are those of the steps of
a run, and one more for the time between two runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.lowerings.lowering import Scratch
from texelscope.pipeline.plan import Storage, StoredTensor

# Height and width in texels, lanes, storage; and a texture of that format by its number among those shared.
Format = tuple[int, int, int, Storage]
Share = tuple[Format, int]
# What may be freed on the GPU and recreated: a texture that tensors share, a scratch texture, a scratch buffer by name.
Room = Share | Scratch | str
# Creating something costs a driver as much time as this many bytes; that depends on the driver and its
# load, so several values are tried, and the result with the fewest gaps, then the least memory is taken.
_MAKING = (1 << 17, 1 << 20, 1 << 23)


def format_of(stored: StoredTensor) -> Format:
    """Returns the format of a tensor's texture."""
    return (*stored.texture_shape, stored.layout.lanes, stored.storage)


@dataclass(frozen=True)
class BufferSpans:
    """Describes `bytes` of memory, occupied during each of the `spans`: their first and last positions, in order."""

    room: Room
    bytes: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MemoryGap:
    """Describes `count` positions from `first` on, over the end if need be, at which the memory is empty."""

    first: int
    count: int


def gaps_to_free(uses: Sequence[BufferSpans], end: int, most_bytes: int) -> tuple[tuple[Room, MemoryGap], ...]:
    """Returns the gaps of a run of `end` steps in which to free memory, so that at most `most_bytes` are held.

    The gaps with the most gain per cost of recreation come first; then gaps are dropped again
    if the others suffice. If no gaps suffice, all that help are returned.
    """
    gaps = [(use, gap) for use in uses for gap in _gaps(use, end)]
    if not gaps:
        return ()
    within = np.array([_positions(gap, end) for _, gap in gaps])
    sizes = np.array([use.bytes for use, _ in gaps], dtype=np.int64)
    held = np.full(end + 1, sum(use.bytes for use in uses), dtype=np.int64)
    ways = [_chosen(within, sizes, held, most_bytes, making) for making in _MAKING]
    least = min(worst for _, worst in ways)
    enough = [is_free for is_free, worst in ways if worst <= max(least, most_bytes)]
    best = min(enough, key=lambda is_free: (is_free.sum(), sizes[is_free].sum()))
    return tuple((use.room, gap) for (use, gap), free in zip(gaps, best, strict=True) if free)


def _chosen(
    within: NDArray[np.bool_], sizes: NDArray[np.int64], held: NDArray[np.int64], most_bytes: int, making: int
) -> tuple[NDArray[np.bool_], int]:
    """Returns which gaps (`within`: [gap, position]) to free, and the most then held, of `held` bytes by position."""
    is_free = np.zeros(len(sizes), dtype=bool)
    while (over := np.maximum(held - most_bytes, 0)).any():
        gains = (np.minimum(over, sizes[:, None]) * (within & ~is_free[:, None])).sum(axis=1)
        best = int(np.argmax(gains / (sizes + making)))
        if gains[best] == 0:
            break
        is_free[best] = True
        held = held - within[best] * sizes[best]
    worst = max(most_bytes, int(held.max()))
    for i in sorted(np.flatnonzero(is_free), key=lambda i: -int(sizes[i])):
        if (held + within[i] * sizes[i]).max() <= worst:
            is_free[i] = False
            held = held + within[i] * sizes[i]
    return is_free, int(held.max())


def most_held(uses: Iterable[BufferSpans], end: int, freed: Iterable[tuple[Room, MemoryGap]]) -> int:
    """Returns the most bytes held at any position if these gaps are freed."""
    sizes = {use.room: use.bytes for use in uses}
    held = np.full(end + 1, sum(sizes.values()), dtype=np.int64)
    for room, gap in freed:
        held -= _positions(gap, end) * sizes[room]
    return int(held.max())


def _gaps(use: BufferSpans, end: int) -> list[MemoryGap]:
    """Yields the gaps between the spans of a use, the last of them from its end over the run's end to its beginning."""
    following = (*(first for first, _ in use.spans[1:]), use.spans[0][0] + end + 1)
    found = [(last + 1, first - last - 1) for (_, last), first in zip(use.spans, following, strict=True)]
    return [MemoryGap(first % (end + 1), count) for first, count in found if count > 0]


def _positions(gap: MemoryGap, end: int) -> NDArray[np.bool_]:
    """Marks positions [end + 1] inside the gap."""
    return (np.arange(end + 1) - gap.first) % (end + 1) < gap.count
