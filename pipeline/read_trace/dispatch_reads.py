"""Finds in a work group's log the reads of one invocation, and shared memory that has no barrier where it needs one.

Another invocation brings what an invocation takes from a shared array: the reads in an assignment to an element of a
shared array belong to that element, and so do, where such an assignment reads nothing itself, the invocation's earlier
reads since its last barrier.

Between two barriers nothing orders the invocations of a work group. The values may still be right, on a driver that
happens to run them in a lucky order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.read_trace.dispatch_text import (
    BARRIER_NUMBER,
    ELEMENT_BYTES,
    READ,
    WRITE,
    InstrumentedDispatch,
)
from texelscope.pipeline.read_trace.recording import ReadRecording, ReadSite

_OUTSIDE = 0xFFFFFFFF
_LANE_BYTES = {"float32": 4, "float16": 2, "uint8": 1}


@dataclass(frozen=True)
class Hazard:
    """An element of the shared array `name` that one invocation writes at `wrote` and another touches at `touched`."""

    name: str
    wrote: ReadSite
    touched: ReadSite


def hazards_of(words: NDArray[np.uint32], made: InstrumentedDispatch) -> list[Hazard]:
    """Returns one for each pair of places in the text, from a log uint32 [entries, 8]; see `dispatch_log.glsl`."""
    number = (words[:, 0] >> 24).tolist()
    sites = (words[:, 0] >> 4 & 0xFFFFF).tolist()
    at, done, who = words[:, 1].tolist(), words[:, 2].tolist(), words[:, 7].tolist()
    shared = {place for place, array in enumerate(made.arrays) if not array.bound}
    passed: dict[int, int] = {}
    touched: dict[tuple[int, int, int], dict[int, tuple[int, bool]]] = {}
    found: dict[tuple[int, int], Hazard] = {}
    for entry, what in enumerate(number):
        if what == BARRIER_NUMBER:
            passed[who[entry]] = passed.get(who[entry], 0) + 1
        elif what in shared:
            key = (what, at[entry], passed.get(who[entry], 0))
            others, writes = touched.setdefault(key, {}), bool(done[entry] & WRITE)
            for other, (site, wrote) in others.items():
                if other != who[entry] and (wrote or writes):
                    first, second = (sites[entry], site) if writes else (site, sites[entry])
                    hazard = Hazard(made.arrays[what].name, made.sites[first], made.sites[second])
                    found.setdefault((first, second), hazard)
            before = others.get(who[entry])
            if before is None or (writes and not before[1]):
                others[who[entry]] = (sites[entry], writes)
    return list(found.values())


assert ELEMENT_BYTES["float"] == _LANE_BYTES["float32"]


@dataclass(frozen=True)
class ReadLanes:
    """A tensor that is read, and the values of its texture's lanes, in order."""

    stored: StoredTensor
    values: NDArray[np.float32]


@dataclass
class _Invocation:
    """Tracks an invocation's reads since it last wrote to shared memory, as entry numbers, and what it assigns now."""

    pending: list[int] = field(default_factory=list)
    wrote: bool = False
    assigned: tuple[int, tuple[int, int]] | None = None


def reads_of(
    words: NDArray[np.uint32],
    places: Mapping[str, ReadLanes],
    made: InstrumentedDispatch,
    writer: tuple[int, int, int],
    count: tuple[int, int, int],
) -> ReadRecording:
    """Returns the reads of the invocation `writer`, from a log of entries uint32 [entries, 8].

    `count` is the number of invocations along x, y and z. A read outside of what is bound counts as none.
    """
    who = words[:, 0].astype(np.int64)
    number, site, lanes = who >> 24, who >> 4 & 0xFFFFF, who & 0xF
    own = (writer[2] * count[1] + writer[1]) * count[0] + writer[0]
    chosen = _entries_of(words, number, own, made)
    names = tuple(dict.fromkeys(array.bound for array in made.arrays if array.bound in places))
    rows: list[tuple[int, int, int, float, float, tuple[float, ...]]] = []
    for entry in chosen:
        array = made.arrays[number[entry]]
        if array.bound not in places:
            continue
        place = places[array.bound]
        if array.is_sampled:
            x, y, *value = words[entry, 1:7].view(np.float32).tolist()
            rows.append((names.index(array.bound), int(site[entry]), int(lanes[entry]), x, y, tuple(value)))
            continue
        for mask, x, y, values in _texels(words[entry], array.bytes, int(lanes[entry]), place):
            rows.append((names.index(array.bound), int(site[entry]), mask, x, y, values))
    return ReadRecording(
        names,
        made.sites,
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.int64),
        np.array([row[3:5] for row in rows], dtype=np.float64).reshape(-1, 2),
        np.array([row[5] for row in rows], dtype=np.float32).reshape(-1, 4),
    )


def _entries_of(
    words: NDArray[np.uint32], number: NDArray[np.int64], own: int, made: InstrumentedDispatch
) -> list[int]:
    """Returns the entries that are reads of the invocation `own`, through shared memory too, in order."""
    shared = {place for place, array in enumerate(made.arrays) if not array.bound}
    textures = {place for place, array in enumerate(made.arrays) if array.bound and not array.bytes}
    flow = _Flow(own, frozenset(made.feeds.values()))
    sites = (words[:, 0] >> 4 & 0xFFFFF).tolist()
    who, at, done = words[:, 7].tolist(), words[:, 1].tolist(), words[:, 2].tolist()
    for entry, what in enumerate(number.tolist()):
        if what == BARRIER_NUMBER:
            flow.barrier(who[entry])
        elif what in shared and done[entry] & WRITE:
            flow.write(who[entry], (what, at[entry]), sites[entry], keeps=bool(done[entry] & READ))
        elif what in shared:
            flow.read_shared(who[entry], (what, at[entry]), made.feeds.get(sites[entry]))
        elif what in textures or done[entry] & READ:
            flow.read(who[entry], entry, made.feeds.get(sites[entry]))
    flow.end()
    return sorted(flow.found)


class _Flow:
    """Follows values into shared memory, and from there to the invocation `own`; `found` are its reads.

    Numbers are those of entries. `fed` are the sites of assignments whose right sides read; other assignments are taken
    for the invocation's earlier reads.
    """

    def __init__(self, own: int, fed: frozenset[int]) -> None:
        self._own = own
        self._fed = fed
        self._invocations: dict[int, _Invocation] = {}
        self._behind: dict[tuple[int, int], list[int]] = {}
        self.found: dict[int, None] = {}

    def _of(self, invocation: int) -> _Invocation:
        return self._invocations.setdefault(invocation, _Invocation())

    def write(self, invocation: int, place: tuple[int, int], site: int, *, keeps: bool) -> None:
        each = self._of(invocation)
        before = self._behind.get(place, []) if keeps else []
        self._behind[place] = [*before] if site in self._fed else [*before, *each.pending]
        each.assigned = (site, place)
        each.wrote = each.wrote or site not in self._fed

    def read_shared(self, invocation: int, place: tuple[int, int], feeds: int | None) -> None:
        each, behind = self._of(invocation), self._behind.get(place, [])
        if feeds is not None and each.assigned is not None and each.assigned[0] == feeds:
            self._behind[each.assigned[1]] += behind
        elif invocation == self._own:
            self.found.update(dict.fromkeys(behind))

    def read(self, invocation: int, entry: int, feeds: int | None) -> None:
        each = self._of(invocation)
        if feeds is not None and each.assigned is not None and each.assigned[0] == feeds:
            self._behind[each.assigned[1]].append(entry)
            return
        if each.wrote:
            each.pending, each.wrote = [], False
        each.pending.append(entry)

    def barrier(self, invocation: int) -> None:
        """Takes reads that did not go to shared memory for the invocation's own use."""
        each = self._of(invocation)
        if invocation == self._own and not each.wrote:
            self.found.update(dict.fromkeys(each.pending))
        each.pending, each.wrote = [], False

    def end(self) -> None:
        for invocation in self._invocations:
            self.barrier(invocation)


def _texels(
    entry: NDArray[np.uint32], size: int, mask: int, place: ReadLanes
) -> Iterable[tuple[int, float, float, tuple[float, ...]]]:
    """Yields the texels behind a read: mask of lanes, position, and the values of all lanes of the texel."""
    stored = place.stored
    height, width = stored.texture_shape
    lanes = stored.layout.lanes
    at = int(entry[1])
    if size:
        per = max(size // _LANE_BYTES[stored.storage], 1)
        wanted = [at * per + lane for lane in range(per) if per > 4 or per == 1 or mask >> lane & 1]
    elif at != _OUTSIDE:
        wanted = [at * lanes + lane for lane in range(lanes) if lanes == 1 or mask >> lane & 1]
    else:
        return
    by_texel: dict[int, int] = {}
    for lane in wanted:
        if at != _OUTSIDE and lane < height * width * lanes:
            by_texel[lane // lanes] = by_texel.get(lane // lanes, 0) | 1 << lane % lanes
    for texel, used in by_texel.items():
        values = place.values[texel * lanes : texel * lanes + lanes].tolist()
        yield used, texel % width + 0.5, texel // width + 0.5, (*values, 0.0, 0.0, 0.0)[:4]
