"""The log of a traced fragment: entries of four words, as `shaders/trace/log.glsl` writes them, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.trace.rewriting.sites import LANES, MORE_TYPE, READ_TYPE, TYPES
from texelscope.pipeline.trace.trace import Number

WORDS = 4
_FLOATS = np.array([False, *(name.startswith(("float", "vec", "mat")) for name in TYPES)])
_SIGNED = np.array([False, *(name.startswith(("int", "ivec")) for name in TYPES)])
_BOOLS = np.array([False, *(name.startswith("b") for name in TYPES)])


@dataclass(frozen=True, eq=False)
class TraceLog:
    """What was written down, in order: of each entry its site, its kind (a type's number; 0 without a value, and
    `READ_TYPE`), its part (of a struct; of a read lanes and sampler), and its first word in `words` [entries, 3].
    """

    sites: NDArray[np.int64]
    kinds: NDArray[np.int64]
    parts: NDArray[np.int64]
    starts: NDArray[np.int64]
    words: NDArray[np.uint32]

    @staticmethod
    def of(entries: NDArray[np.uint32]) -> TraceLog:
        """Of entries [entries, 4] as the driver wrote them."""
        heads = entries[:, 0]
        starts = np.flatnonzero(heads >> 26 != MORE_TYPE)
        first = heads[starts].astype(np.int64)
        return TraceLog(first & 0xFFFF, first >> 26, first >> 16 & 0x3FF, starts, np.ascontiguousarray(entries[:, 1:]))

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def is_read(self) -> NDArray[np.bool_]:
        """Which of them are reads."""
        return np.asarray(self.kinds == READ_TYPE)

    @cached_property
    def values(self) -> list[tuple[Number, ...]]:
        """The values of each entry, lane by lane; empty for reads and where there are none."""
        found: list[tuple[Number, ...]] = [()] * len(self)
        flat = self.words.reshape(-1)
        for kind in np.unique(self.kinds[~self.is_read]).tolist():
            if kind == 0:
                continue
            which = np.flatnonzero(self.kinds == kind)
            words = flat[3 * self.starts[which][:, None] + np.arange(LANES[kind - 1])]
            numbers = _typed(words, kind).tolist()
            for entry, value in zip(which.tolist(), numbers, strict=True):
                found[entry] = tuple(value)
        return found

    def value(self, entry: int) -> tuple[Number, ...]:
        """The value of one entry, as in `values`."""
        kind, start = int(self.kinds[entry]), 3 * int(self.starts[entry])
        words = self.words.reshape(-1)[start : start + LANES[kind - 1]] if kind else self.words[:0, 0]
        return tuple(_typed(words, kind).tolist())

    @cached_property
    def read_numbers(self) -> NDArray[np.float32]:
        """Of each read [reads, 6]: the position, and the four values."""
        starts = self.starts[self.is_read]
        words = self.words.reshape(-1)[3 * starts[:, None] + np.arange(6)]
        numbers: NDArray[np.float32] = words.view(np.float32)
        return numbers


def _typed(words: NDArray[np.uint32], kind: int) -> NDArray[np.generic]:
    if _FLOATS[kind]:
        return words.view(np.float32)
    if _SIGNED[kind]:
        return words.view(np.int32)
    return words != 0 if _BOOLS[kind] else words
