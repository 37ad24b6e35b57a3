"""Axes that an operator reduces over: which, where their elements lie, and numpy's sums and maxima over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.affine import AffineMap, strides_of
from texelscope.pipeline.operators.base import Call, Constant

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class ReducedAxes:
    """The reduced axes, counted from the front, of a tensor of that shape; `output` is the result's shape."""

    shape: Shape
    axes: tuple[int, ...]
    output: Shape

    @property
    def count(self) -> int:
        """Number of elements that one output element is made of."""
        return int(np.prod([self.shape[axis] for axis in self.axes], dtype=np.int64))

    @property
    def first(self) -> AffineMap:
        """From an output element's linear index to the first of the elements that it is made of."""
        return self._over([axis for axis in range(len(self.shape)) if axis not in self.axes])

    @property
    def places(self) -> AffineMap:
        """From k = 0 … count − 1 to the distance of the k-th of those elements from the first."""
        return self._over(list(self.axes))

    def _over(self, axes: list[int]) -> AffineMap:
        strides = strides_of(self.shape)
        return AffineMap(tuple(self.shape[a] for a in axes), tuple(strides[a] for a in axes)).simplified()

    def constants(self) -> dict[str, Constant]:
        """The names under which `reduce/places.glsl` knows the axes."""
        first, places = self.first, self.places
        return {
            "KEPT_RANK": len(first.sizes),
            "KEPT_SIZES": first.sizes,
            "KEPT_STRIDES": first.strides,
            "REDUCED_RANK": len(places.sizes),
            "REDUCED_SIZES": places.sizes,
            "REDUCED_STRIDES": places.strides,
            "REDUCED_COUNT": self.count,
        }

    @property
    def in_texels(self) -> bool:
        """Whether the elements that one is made of follow each other, in runs that begin and end at a multiple of 4."""
        places = self.places
        starts = not any(
            stride % 4 for size, stride in zip(self.first.sizes, self.first.strides, strict=True) if size > 1
        )
        return places.sizes == (self.count,) and places.strides == (1,) and self.count % 4 == 0 and starts

    @property
    def spans(self) -> tuple[int, int, int, int] | None:
        """Of a tensor of rank 4 how far it is reduced along n, c, h, w, 1 along the others; None of another rank."""
        if len(self.shape) != len(self.output) or len(self.shape) != 4:
            return None
        n, c, h, w = (size if axis in self.axes else 1 for axis, size in enumerate(self.shape))
        return n, c, h, w

    def elements(self, element: int) -> NDArray[np.int64]:
        """Linear indices of the elements that output element `element` is made of."""
        return self.block_elements(element, self.count)

    def block_elements(self, element: int, block: int) -> NDArray[np.int64]:
        """The same where each group of elements is cut into blocks of `block`, and an output element is made of one."""
        group, number = divmod(element, -(-self.count // block))
        first = self.first.source(group)
        places = range(number * block, min((number + 1) * block, self.count))
        return np.array([first + self.places.source(k) for k in places], dtype=np.int64)

    def sum(self, values: Reals) -> Reals:
        """Sums over the axes, in the output's shape."""
        return np.asarray(values.sum(axis=self.axes)).reshape(self.output)

    def max(self, values: Reals) -> Reals:
        """Maxima over the axes, in the output's shape."""
        return np.asarray(values.max(axis=self.axes)).reshape(self.output)

    def product(self, values: Reals) -> Reals:
        """Products over the axes, in the output's shape."""
        return np.asarray(values.prod(axis=self.axes)).reshape(self.output)


def reduced_axes(call: Call) -> ReducedAxes:
    """The axes of a Reduce node: an attribute or, later, its second input; all of them or none if there are none."""
    rank = len(call.shape(0))
    if call.has(1):
        given = tuple(int(axis) for axis in np.ravel(call.required_constant(1, "axes")))
    else:
        given = tuple(call.attribute("axes") or ())
    if not given and not call.attribute("noop_with_empty_axes", 0):
        given = tuple(range(rank))
    return ReducedAxes(call.shape(0), tuple(sorted(axis % rank for axis in given)), call.output_shape())


def viewed_axes(call: Call) -> ReducedAxes:
    """The axes of a node of the program's own domain, which says how its input is seen and over which axes it goes."""
    return ReducedAxes(tuple(call.attribute("view")), tuple(call.attribute("axes")), call.output_shape())


def one_axis(call: Call, axis: int) -> ReducedAxes:
    """A single axis, whatever the output keeps of it."""
    return ReducedAxes(call.shape(0), (axis,), call.output_shape())
