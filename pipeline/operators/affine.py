"""Describes moves without arithmetic: the input element of each output element, as one affine function.

Transposing, slicing, repeating and cutting into blocks all read x_flat[offset + Σ_d stride_d · i_d], once the
output's axes are cut finely enough. Strides are in elements; 0 repeats, negative ones run backwards. Inputs of
different shapes broadcast in this way too: axes of size 1 are repeated, as in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.base import Call, Constant


@dataclass(frozen=True)
class AffineMap:
    """Maps output element (i₀, i₁, …), row-major over `sizes`, to input element offset + Σ_d strides[d]·i_d."""

    sizes: Shape
    strides: tuple[int, ...]
    offset: int = 0

    def simplified(self) -> AffineMap:
        """Returns the same map with as few axes as possible, at least one."""
        sizes: list[int] = []
        strides: list[int] = []
        for size, stride in zip(self.sizes, self.strides, strict=True):
            if size == 1:
                continue
            if sizes and strides[-1] == stride * size:
                sizes[-1] *= size
                strides[-1] = stride
            else:
                sizes.append(size)
                strides.append(stride)
        return AffineMap(tuple(sizes) or (1,), tuple(strides) or (0,), self.offset)

    def source(self, element: int) -> int:
        """Returns the linear index of the input element that output element `element` comes from."""
        place = np.unravel_index(element, self.sizes) if self.sizes else ()
        return self.offset + sum(int(i) * stride for i, stride in zip(place, self.strides, strict=True))

    def constants(self) -> dict[str, Constant]:
        """Returns the constants of `affine.glsl` for the map."""
        return {
            "RANK": len(self.sizes),
            "SIZES": self.sizes,
            "STRIDES": self.strides,
            "OFFSET": self.offset,
        }


def strides_of(shape: Sequence[int]) -> tuple[int, ...]:
    """Returns elements between neighbours along each axis of a row-major tensor."""
    return tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))


def same_order(shape: Shape) -> AffineMap:
    """Returns the map that keeps every element in its place."""
    return AffineMap(shape, strides_of(shape))


def aligned(call: Call, position: int) -> Shape:
    """Returns the shape of an input with as many axes as the output.

    Before opset 7 the attribute `axis` said where the second input's axes start, and slopes of PRelu were those of
    channels; since then, and without it, the last axes meet.
    """
    shape, rank = call.shape(position), len(call.output_shape())
    axis = call.attribute("axis", _of_channels(call)) if position > 0 and call.node.opset < 7 else None
    after = rank - int(axis) - len(shape) if axis is not None and int(axis) >= 0 else 0
    return (1,) * (rank - len(shape) - after) + shape + (1,) * after


def _of_channels(call: Call) -> int | None:
    return 1 if call.node.op_type == "PRelu" and len(call.shape(1)) == 1 and len(call.shape(0)) > 1 else None


def lines_up(call: Call) -> bool:
    """Reports whether clamping n, c, h, w to each input's shape is all that broadcasting takes."""
    rank = len(call.output_shape())
    legacy = any(aligned(call, i)[rank - len(call.shape(i)) :] != call.shape(i) for i in positions(call))
    are_equal = all(call.shape(i) == call.output_shape() for i in positions(call))
    return are_equal or (rank <= 4 and not legacy)


def positions(call: Call) -> tuple[int, ...]:
    """Returns the positions of the given inputs."""
    return tuple(i for i in range(len(call.node.inputs)) if call.has(i))


def strides(call: Call, position: int) -> tuple[int, ...]:
    """Returns strides of an input in elements along the output's axes; 0 where it is repeated."""
    shape = aligned(call, position)
    return tuple(0 if size == 1 else stride for size, stride in zip(shape, strides_of(shape), strict=True))


def read_indices(call: Call, element: int, inputs: Sequence[int]) -> dict[int, NDArray[np.int64]]:
    """Returns input position → linear index of the element that corresponds to output element `element`."""
    place = np.unravel_index(element, call.output_shape()) if call.output_shape() else ()
    return {
        position: np.array(
            [sum(int(i) * stride for i, stride in zip(place, strides(call, position), strict=True))], dtype=np.int64
        )
        for position in inputs
    }
