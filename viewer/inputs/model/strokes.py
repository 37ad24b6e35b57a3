"""Keeps painted strokes for undo and redo; each keeps only what it changed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.float32]

# Limits of the number of strokes, and of the memory for what they covered; the oldest are dropped first.
MOST_STROKES, MOST_BYTES = 200, 64 << 20
# The largest difference that storing a colour in half precision, or in 8 bits, makes.
_ROUNDED = 4e-3


@dataclass(frozen=True)
class Stroke:
    """Holds a box of the planes [C, height, width] from (x, y) on, before and after a stroke."""

    x: int
    y: int
    before: Planes
    after: Planes

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self.before.nbytes + self.after.nbytes


class PaintedStrokes:
    """The strokes, newest last; `planes` is their result. `forgotten` counts strokes dropped for lack of room."""

    def __init__(self, most_strokes: int = MOST_STROKES, most_bytes: int = MOST_BYTES) -> None:
        self._most = (most_strokes, most_bytes)
        self._done: deque[Stroke] = deque()
        self._undone: list[Stroke] = []
        self.planes: Planes | None = None
        self.forgotten = 0

    @property
    def can_undo(self) -> int:
        """How many strokes can be undone."""
        return len(self._done)

    @property
    def can_redo(self) -> int:
        """How many strokes can be redone."""
        return len(self._undone)

    def clear(self) -> None:
        """Drops all strokes, because the planes have changed otherwise."""
        self._done.clear()
        self._undone.clear()
        self.planes, self.forgotten = None, 0

    def goes_with(self, planes: Planes) -> bool:
        """Returns whether these planes are the strokes' result; else something else has changed them."""
        mine = self.planes
        if mine is None or mine is planes:
            return mine is not None
        return mine.shape == planes.shape and np.allclose(mine, planes, _ROUNDED, _ROUNDED, equal_nan=True)

    def add(self, before: Planes, after: Planes) -> None:
        """Adds a stroke that turned `before` into `after` and drops undone ones; ignores a stroke without effect."""
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
        """Returns the planes without the last stroke; None if there is none."""
        if not self._done:
            return None
        stroke = self._done.pop()
        self._undone.append(stroke)
        return self._put(stroke, stroke.before)

    def redo(self) -> Planes | None:
        """Returns the planes with the stroke that was undone last; None if there is none."""
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
