"""Operators that only move elements, each one affine function of the output's place (`pipeline.operators.affine`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import AffineMap, same_order, strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import movement

# The map of a node's output at the given position.
Map = Callable[[Call, int], AffineMap]


@dataclass(frozen=True)
class Movement(Operator):
    """An operator whose output is its first input in another order; `pointwise` if it is not even that."""

    op_type: str
    description: str
    map: Map
    pointwise: bool = False

    def names(self) -> tuple[str, ...]:
        """The one operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """The entry's own line."""
        return self.description

    @property
    def facts(self) -> Facts:
        """Elements in another order, or in the same if only the shape may be another one."""
        return Facts(pointwise=self.pointwise, moves=True, keeps_order=self.map is _reshape)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One read an element."""
        constants = self.map(call, output).simplified().constants()
        return Kernel(("affine.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The one element that it copies."""
        return self.reads_of(call, element, 0)

    def reads_of(self, call: Call, element: int, output: int) -> Mapping[int, NDArray[np.int64]]:
        """The one element that it copies."""
        return {0: np.array([self.map(call, output).source(element)], dtype=np.int64)}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """The same where the order is."""
        return y if self.facts.keeps_order and position == 0 else None


def _reshape(call: Call, output: int) -> AffineMap:
    return same_order(call.output_shape(output))


def _transpose(call: Call, output: int) -> AffineMap:
    shape = call.shape(0)
    order = call.attribute("perm") or tuple(reversed(range(len(shape))))
    return AffineMap(call.output_shape(output), tuple(strides_of(shape)[axis] for axis in order))


def _expand(call: Call, output: int) -> AffineMap:
    target = call.output_shape(output)
    shape = (1,) * (len(target) - len(call.shape(0))) + call.shape(0)
    return AffineMap(target, tuple(0 if size == 1 else s for size, s in zip(shape, strides_of(shape), strict=True)))


def _tile(call: Call, output: int) -> AffineMap:
    """Each axis is an axis of repeats around an axis of elements."""
    shape = call.shape(0)
    sizes, strides = [], []
    for size, whole, stride in zip(shape, call.output_shape(output), strides_of(shape), strict=True):
        sizes += [whole // size, size]
        strides += [0, stride]
    return AffineMap(tuple(sizes), tuple(strides))


def _split(call: Call, output: int) -> AffineMap:
    axis = call.axis()
    strides = strides_of(call.shape(0))
    before = sum(call.output_shape(i)[axis] for i in range(output))
    return AffineMap(call.output_shape(output), strides, before * strides[axis])


def _depth_to_space(call: Call, _: int) -> AffineMap:
    n, c, h, w = call.shape(0)
    block = int(call.attribute("blocksize"))
    n_, c_, h_, w_ = strides_of((n, c, h, w))
    depth = c // (block * block)
    by_column = call.attribute("mode", "DCR") == "CRD"
    channel, down, right = (block * block, block, 1) if by_column else (1, block * depth, depth)
    return AffineMap((n, depth, h, block, w, block), (n_, channel * c_, h_, down * c_, w_, right * c_))


def _space_to_depth(call: Call, _: int) -> AffineMap:
    n, c, h, w = call.shape(0)
    block = int(call.attribute("blocksize"))
    n_, c_, h_, w_ = strides_of((n, c, h, w))
    plane, places = ((h // block, w // block), (block * h_, block * w_))
    if call.attribute("mode", "DCR") == "CRD":
        return AffineMap((n, c, block, block, *plane), (n_, c_, h_, w_, *places))
    return AffineMap((n, block, block, c, *plane), (n_, h_, w_, c_, *places))


def _frames(call: Call, output: int) -> AffineMap:
    batch, elements, parts = strides_of(call.shape(0))
    return AffineMap(call.output_shape(output), (batch, int(call.attribute("step")) * elements, elements, parts))


OPERATORS = (
    Movement("Identity", "The input as it is.", _reshape, pointwise=True),
    Movement("Reshape", "The same elements in another shape.", _reshape),
    Movement("Flatten", "The same elements as a matrix.", _reshape),
    Movement("Squeeze", "Axes of size 1 taken away.", _reshape),
    Movement("Unsqueeze", "Axes of size 1 put in.", _reshape),
    Movement("Transpose", "Axes in another order.", _transpose),
    Movement("Expand", "Axes of size 1 repeated, as in broadcasting.", _expand),
    Movement("Tile", "The whole tensor repeated along each axis.", _tile),
    Movement("Split", "Parts along one axis.", _split),
    Movement("DepthToSpace", "Blocks of channels laid out in the plane.", _depth_to_space),
    Movement("OptionalGetElement", "The tensor that an optional one holds.", _reshape),
    Movement("Frames", "Windows of a signal, one after the other.", _frames),
    Movement("SpaceToDepth", "Blocks of the plane stacked as channels.", _space_to_depth),
)
