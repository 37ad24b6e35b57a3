"""Paints round strokes into inputs, and keeps them for undo and redo; needs no window."""

from __future__ import annotations

import math
import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.atomic_files import write_array_whole
from texelscope.pipeline.graph import Shape
from texelscope.viewer.document.document import Document

Point = tuple[float, float]
Planes = NDArray[np.float32]


def is_paintable(shape: Shape) -> bool:
    """Returns whether a tensor looks like a picture: 1, 3 or 4 channels, at least 2 by 2."""
    n, c, height, width = as_nchw(shape)
    return len(shape) >= 2 and n == 1 and c in (1, 3, 4) and height > 1 and width > 1


def stroke(planes: Planes, start: Point, end: Point, radius: float, colour: tuple[float, ...]) -> Planes:
    """Returns a copy of `planes` (float32 C, H, W) with a round stroke; points and radius in pixels from the corner.

    `colour` has a number for each channel. A pixel belongs to the stroke if its centre does; the pixel under the
    pointer always does.
    """
    painted = planes.copy()
    _, height, width = planes.shape
    rows, columns = np.indices((height, width), dtype=np.float64) + 0.5
    along = (end[0] - start[0], end[1] - start[1])
    length = math.hypot(*along)
    share = np.zeros((height, width))
    if length > 0.0:
        share = np.clip(((columns - start[0]) * along[0] + (rows - start[1]) * along[1]) / length**2, 0.0, 1.0)
    distance = np.hypot(columns - start[0] - share * along[0], rows - start[1] - share * along[1])
    covered = distance <= max(radius, 0.0)
    x, y = math.floor(end[0]), math.floor(end[1])
    if 0 <= x < width and 0 <= y < height:
        covered[y, x] = True
    for plane, value in zip(painted, colour, strict=True):
        plane[covered] = value
    return painted


def as_rgb(planes: Planes) -> NDArray[np.uint8]:
    """Converts planes in [0, 1] to uint8 [H, W, 3]; one channel becomes grey, the fourth is dropped."""
    shown = np.nan_to_num(np.clip(planes, 0.0, 1.0))
    rgb = np.repeat(shown, 3, axis=0) if len(shown) == 1 else shown[:3]
    return np.ascontiguousarray(np.rint(np.moveaxis(rgb, 0, 2) * 255.0).astype(np.uint8))


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


class PaintedInput:
    """Paints into inputs through files, so that another layout can be opened with the same picture."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._number = 0
        self._strokes: dict[str, PaintedStrokes] = {}
        self._last = self._source = ""

    def about(self, source: str) -> str:
        """Describes the input's source, if it is what was painted last; else empty."""
        return "painted here" if source and source == self._source else ""

    def strokes(self, name: str) -> PaintedStrokes:
        """Returns the strokes on the input of that name."""
        return self._strokes.setdefault(name, PaintedStrokes())

    def paint(self, document: Document, name: str, before: Planes, after: Planes) -> None:
        """Sets the input to the result of a stroke."""
        self.strokes(name).add(before, after)
        self._set(document, name, after)

    def show(self, document: Document, name: str, planes: Planes) -> None:
        """Sets the input to a stroke that goes on: it cannot be undone yet, and other runs will follow."""
        self._set(document, name, planes, goes_on=True)

    def step(self, document: Document, name: str | None, *, forward: bool) -> bool:
        """Undoes or redoes a stroke on an input, by default on the one painted last.

        Returns False if there is none. Strokes are forgotten once the input was set to something else.
        """
        name = name or self._last
        strokes = self._strokes.get(name)
        session = document.session
        if strokes is None or session is None or name not in session.plan.inputs:
            return False
        now = document.present(name)
        if now is None or strokes.planes is None or not strokes.goes_with(now.reshape(strokes.planes.shape)):
            strokes.clear()
            return False
        planes = strokes.redo() if forward else strokes.undo()
        if planes is None:
            return False
        self._set(document, name, planes)
        return True

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _set(self, document: Document, name: str, planes: Planes, *, goes_on: bool = False) -> None:
        assert document.session is not None
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
        # A stroke that goes on has a file of its own: the input is another one after each stroke.
        path = Path(self._folder.name) / ("painting.npy" if goes_on else f"painted{self._number % 2}.npy")
        self._number += not goes_on
        self._last = name
        shape = document.session.plan.textures[name].shape
        write_array_whole(path, planes.reshape(shape), lasting=False)
        self._source = str(path)
        document.set_input(name, self._source, quietly=goes_on)
