"""Other shapes of the same elements, and parts of them."""

from __future__ import annotations

import operator
from types import EllipsisType
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import Core
from texelscope.pipeline.tensors.types import axes_of

Index = int | slice | EllipsisType | None
# Beyond every size: where a slice that runs backwards ends before the first element.
_BEFORE_ALL = np.iinfo(np.int64).min + 1


class Shaping(Core):
    """Shapes, axes and indexing."""

    def reshape(self, *shape: int | tuple[int, ...] | list[int]) -> Self:
        """In another shape, rows first; one size may be −1, what is left."""
        sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        wanted = np.array(sizes, np.int64)
        known = int(np.prod(wanted[wanted != -1], dtype=np.int64))
        free = int(np.count_nonzero(wanted == -1))
        if free > 1 or (wanted < -1).any() or (self.size % known if free and known else self.size != known):
            got, do_next = f"{[int(each) for each in wanted]} for {list(self.shape)}", "Correct the sizes."
            raise TexelscopeError("reshape", f"sizes of {self.size} elements", got, do_next)
        return apply("Reshape", self, wanted, allowzero=1 if 0 in sizes else None)

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> Self:
        """The axes from one to another as one."""
        if not self.ndim:
            return self.reshape(1)
        first, last = (axes_of("flatten", self.ndim, each)[0] for each in (start_dim, end_dim))
        if first > last:
            raise TexelscopeError("flatten", "axes in order", f"{start_dim} and {end_dim}", "Change them round.")
        return self.reshape(*self.shape[:first], -1, *self.shape[last + 1 :])

    def permute(self, *axes: int | tuple[int, ...]) -> Self:
        """The axes in another order."""
        given = tuple(axes[0]) if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
        order = axes_of("permute", self.ndim, given)  # type: ignore[arg-type]  # one tuple, or ints
        if len(order) != self.ndim:
            raise TexelscopeError("permute", f"all {self.ndim} axes", str(list(given)), "Name each once.")
        return apply("Transpose", self, perm=order)

    def transpose(self, dim0: int, dim1: int) -> Self:
        """Two axes in each other's place."""
        one, other = (axes_of("transpose", self.ndim, each)[0] for each in (dim0, dim1))
        order = [*range(self.ndim)]
        order[one], order[other] = other, one
        return apply("Transpose", self, perm=order)

    @property
    def T(self) -> Self:  # noqa: N802 - as everywhere
        """All axes the other way round."""
        return apply("Transpose", self, perm=[*range(self.ndim)][::-1])

    @property
    def mT(self) -> Self:  # noqa: N802
        """The last two axes in each other's place."""
        return self.transpose(-2, -1)

    def squeeze(self, axis: int | tuple[int, ...] | None = None) -> Self:
        """Without axes of size 1: those, or all."""
        axes = [i for i, size in enumerate(self.shape) if size == 1] if axis is None else axis
        gone = axes_of("squeeze", self.ndim, axes)
        if any(self.shape[each] != 1 for each in gone):
            raise TexelscopeError("squeeze", "axes of size 1", f"{axis} of {list(self.shape)}", "Name others.")
        return self.reshape([size for i, size in enumerate(self.shape) if i not in gone]) if gone else self

    def unsqueeze(self, axis: int | tuple[int, ...]) -> Self:
        """With axes of size 1 at those places of the result."""
        count = 1 if isinstance(axis, int) else len(axis)
        new = axes_of("unsqueeze", self.ndim + count, axis)
        left = iter(self.shape)
        return self.reshape([1 if i in new else next(left) for i in range(self.ndim + count)])

    def broadcast_to(self, *shape: int | tuple[int, ...]) -> Self:
        """Repeated along axes of size 1, and along new ones before them."""
        sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        return apply("Expand", self, np.array(sizes, np.int64))

    expand = broadcast_to

    def tile(self, *repeats: int) -> Self:
        """Repeated along each axis."""
        counts = (1,) * (self.ndim - len(repeats)) + repeats
        x = self.reshape((1,) * (len(counts) - self.ndim) + self.shape) if len(counts) > self.ndim else self
        return apply("Tile", x, np.array(counts, np.int64))

    def flip(self, axis: int | tuple[int, ...] | None = None) -> Self:
        """Backwards along axes; all of them if none is named."""
        turned = axes_of("flip", self.ndim, axis)
        return self[tuple(slice(None, None, -1) if i in turned else slice(None) for i in range(self.ndim))]

    def split(self, size: int, axis: int = 0) -> tuple[Self, ...]:
        """Parts of that size along the axis, the last one maybe smaller."""
        at = axes_of("split", self.ndim, axis)[0]
        before = (slice(None),) * at
        return tuple(self[(*before, slice(start, start + size))] for start in range(0, self.shape[at], size))

    def __getitem__(self, index: Any) -> Self:
        """Parts by whole numbers, slices, `None` for a new axis, `...`; by tensors and arrays of places or of truth.

        As of numpy. One tensor of places alone picks along the first axis and stays where it is; any other one is read
        back, as how many elements it picks depends on its numbers.
        """
        if isinstance(index, list | np.ndarray) and np.asarray(index).dtype.kind in "iu":
            index = self._beside(np.asarray(index))
        if isinstance(index, Core) and index.dtype != "bool" and index.ndim and self.ndim:
            return apply("Gather", self, cast(Self, index), axis=0)
        given = index if isinstance(index, tuple) else (index,)
        if any(isinstance(each, Core | np.ndarray | list | bool) for each in given):
            places = self.places(given)
            return apply("Gather", self.reshape(-1), self._beside(places), axis=0)
        return self._part(given)

    def _beside(self, array: NDArray[Any]) -> Self:
        return type(self)(array, layout=self.layout, device=self.device)

    def places(self, index: Any) -> NDArray[np.int64]:
        """Of the elements that `x[index]` picks the places in a row of all, int64, in the shape of what is picked.

        Raises TexelscopeError for an index that does not fit.
        """
        given = index if isinstance(index, tuple) else (index,)
        known = tuple(each.numpy() if isinstance(each, Core) else each for each in given)
        try:
            return np.asarray(np.arange(self.size).reshape(self.shape)[known])
        except IndexError as error:
            raise _PlaceError("index", f"places in {list(self.shape)}", said_by(error), "Correct it.") from None

    def _part(self, index: tuple[Index, ...]) -> Self:
        """A slice of each axis that has one, and then the axes that are left, and new ones."""
        full = _spelled_out(index, self.ndim, self.shape)
        starts, ends, axes, steps = [], [], [], []
        shape: list[int] = []
        axis = 0
        for each in full:
            if each is None:
                shape.append(1)
                continue
            size = self.shape[axis]
            if isinstance(each, slice):
                start, end, step = each.indices(size)
                shape.append(len(range(start, end, step)))
            else:
                start, end, step = each, each + 1, 1
            if (start, end, step) != (0, size, 1):
                starts.append(start)
                ends.append(_BEFORE_ALL if end < 0 else end)
                axes.append(axis)
                steps.append(step)
            axis += 1
        part = (
            apply("Slice", self, *(np.array(each, np.int64) for each in (starts, ends, axes, steps))) if axes else self
        )
        return part if part.shape == tuple(shape) else part.reshape(shape)


def _spelled_out(index: tuple[Index, ...], rank: int, shape: tuple[int, ...]) -> list[int | slice | None]:
    """An index of every axis, numbers from the front, `...` as slices. Raises TexelscopeError for a wrong one."""
    count = sum(each is not None and each is not Ellipsis for each in index)
    dots = [i for i, each in enumerate(index) if each is Ellipsis]
    if count > rank or len(dots) > 1:
        got, do_next = f"{count} and {len(dots)} times ...", "Leave some out."
        raise TexelscopeError("index", f"at most {rank} numbers and slices, and one ...", got, do_next)
    at = dots[0] if dots else len(index)
    filled = [*index[:at], *(slice(None),) * (rank - count), *index[at + 1 :]]
    found: list[int | slice | None] = []
    sizes = iter(shape)
    for each in filled:
        if each is None:
            found.append(None)
            continue
        size = next(sizes)
        found.append(each if isinstance(each, slice) else _number(each, size))
    return found


def _number(each: Any, size: int) -> int:
    try:
        place = operator.index(each)
    except TypeError:
        got, do_next = type(each).__name__, "Use one of them in each place."
        raise TexelscopeError("index", "whole numbers, slices, None, ...", got, do_next) from None
    if not -size <= place < size:
        # What Python's iteration by index ends with, beside what it says.
        raise _PlaceError("index", f"a place from {-size} to {size - 1}", str(place), "Correct it.")
    return place + size if place < 0 else place


class _PlaceError(TexelscopeError, IndexError):
    """A place that is not there: Python ends a loop over a tensor with it."""
