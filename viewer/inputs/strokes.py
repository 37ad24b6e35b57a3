"""Strokes on planes of numbers that can be taken back and done again: each keeps only what it changed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.float32]

# So many strokes, and so much memory for what they painted over; the oldest are forgotten first.
MOST_STROKES, MOST_BYTES = 200, 64 << 20
# As much as a texture of half precision, or of 8 bits, makes of a colour.
_ROUNDED = 4e-3


@dataclass(frozen=True)
class Stroke:
    """A box of the planes [C, height, width] from (x, y) on, as it was and as it is."""

    x: int
    y: int
    before: Planes
    after: Planes

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self.before.nbytes + self.after.nbytes


class PaintedStrokes:
    """What was painted, newest last; `planes` are what came of it. `forgotten` counts those that had no room."""

    def __init__(self, most_strokes: int = MOST_STROKES, most_bytes: int = MOST_BYTES) -> None:
        self._most = (most_strokes, most_bytes)
        self._done: deque[Stroke] = deque()
        self._undone: list[Stroke] = []
        self.planes: Planes | None = None
        self.forgotten = 0

    @property
    def can_undo(self) -> int:
        """How many strokes can be taken back."""
        return len(self._done)

    @property
    def can_redo(self) -> int:
        """How many can be done again."""
        return len(self._undone)

    def clear(self) -> None:
        """The planes are others now."""
        self._done.clear()
        self._undone.clear()
        self.planes, self.forgotten = None, 0

    def goes_with(self, planes: Planes) -> bool:
        """Whether these planes are what the strokes made: else somebody else has changed them."""
        mine = self.planes
        if mine is None or mine is planes:
            return mine is not None
        return mine.shape == planes.shape and np.allclose(mine, planes, _ROUNDED, _ROUNDED, equal_nan=True)

    def add(self, before: Planes, after: Planes) -> None:
        """A stroke that made `after` of `before`; what was undone is gone. One that changed nothing counts as none."""
        if not self.goes_with(before):
            self.clear()
        self.planes = after
        with np.errstate(invalid="ignore"):
            changed = ((before != after) & ~(np.isnan(before) & np.isnan(after))).any(axis=0)
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not rows.size:
            return
        top, left = int(rows[0]), int(columns[0])
        box = (slice(None), slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1))
        self._undone.clear()
        self._done.append(Stroke(left, top, before[box].copy(), after[box].copy()))
        most, most_bytes = self._most
        while len(self._done) > most or (self._done and sum(each.nbytes for each in self._done) > most_bytes):
            self._done.popleft()
            self.forgotten += 1

    def undo(self) -> Planes | None:
        """The planes without the last stroke; None if there is none."""
        if not self._done:
            return None
        stroke = self._done.pop()
        self._undone.append(stroke)
        return self._put(stroke, stroke.before)

    def redo(self) -> Planes | None:
        """The planes with the stroke that was taken back last; None if there is none."""
        if not self._undone:
            return None
        stroke = self._undone.pop()
        self._done.append(stroke)
        return self._put(stroke, stroke.after)

    def _put(self, stroke: Stroke, values: Planes) -> Planes:
        assert self.planes is not None
        planes = self.planes.copy()
        _, height, width = values.shape
        planes[:, stroke.y : stroke.y + height, stroke.x : stroke.x + width] = values
        self.planes = planes
        return planes
