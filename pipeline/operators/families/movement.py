"""Implements operators that only move elements, each an affine function of the output's place."""

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
    """Moves the first input's elements to another order; or not even that if `pointwise`."""

    op_type: str
    description: str
    map: Map
    pointwise: bool = False

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the entry's description."""
        return self.description

    @property
    def facts(self) -> Facts:
        """Returns the facts: elements in another order, or in the same if only the shape may differ."""
        return Facts(pointwise=self.pointwise, moves=True, keeps_order=self.map is _reshape)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads once per element."""
        constants = self.map(call, output).simplified().constants()
        return Kernel(("affine.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the one element that it copies."""
        return self.reads_of(call, element, 0)

    def reads_of(self, call: Call, element: int, output: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the one element that it copies."""
        return {0: np.array([self.map(call, output).source(element)], dtype=np.int64)}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns y where the order is the same."""
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
    """Treats each axis as an axis of repeats around an axis of elements."""
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


def _slice(call: Call, output: int) -> AffineMap:
    shape = call.shape(0)
    starts = _argument(call, 1, "starts")
    axes = _argument(call, 3, "axes") or tuple(range(len(starts)))
    steps = _argument(call, 4, "steps") or (1,) * len(starts)
    strides = list(strides_of(shape))
    offset = 0
    for start, axis, step in zip(starts, axes, steps, strict=True):
        size, stride = shape[axis], strides[axis]
        start = start + size if start < 0 else start
        offset += min(max(start, 0), size if step > 0 else size - 1) * stride
        strides[axis] = stride * step
    return AffineMap(call.output_shape(output), tuple(strides), offset)


def _argument(call: Call, position: int, name: str) -> tuple[int, ...]:
    if call.node.opset < 10:
        return tuple(int(value) for value in call.attribute(name, ()))
    if not call.has(position):
        return ()
    return tuple(int(value) for value in np.ravel(call.required_constant(position, name)))


OPERATORS = (
    Movement("Identity", "Copies the input.", _reshape, pointwise=True),
    Movement("Reshape", "Views the same elements in another shape.", _reshape),
    Movement("Flatten", "Views the same elements as a matrix.", _reshape),
    Movement("Squeeze", "Removes axes of size 1.", _reshape),
    Movement("Unsqueeze", "Inserts axes of size 1.", _reshape),
    Movement("Transpose", "Reorders axes.", _transpose),
    Movement("Expand", "Repeats axes of size 1, as in broadcasting.", _expand),
    Movement("Tile", "Repeats the whole tensor along each axis.", _tile),
    Movement("Split", "Splits along one axis.", _split),
    Movement("DepthToSpace", "Lays out blocks of channels in the plane.", _depth_to_space),
    Movement("OptionalGetElement", "Returns the tensor in an optional value.", _reshape),
    Movement("Frames", "Cuts a signal into windows.", _frames),
    Movement("SpaceToDepth", "Stacks blocks of the plane as channels.", _space_to_depth),
    Movement("Slice", "Selects every n-th element of a range along each axis.", _slice),
)
