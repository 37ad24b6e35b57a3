"""Inputs of different shapes that meet element by element: axes of size 1 are repeated, as in numpy.

Up to rank 4, and where shapes are equal, the 4-d views of all tensors line up by themselves and a shader only has to
stop at each input's edge. Else it walks linear indices with a stride of 0 along repeated axes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Call


def aligned(call: Call, position: int) -> Shape:
    """The shape of an input with as many axes as the output.

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
    """Whether clamping n, c, h, w to each input's shape is all that broadcasting takes."""
    rank = len(call.output_shape())
    legacy = any(aligned(call, i)[rank - len(call.shape(i)) :] != call.shape(i) for i in positions(call))
    are_equal = all(call.shape(i) == call.output_shape() for i in positions(call))
    return are_equal or (rank <= 4 and not legacy)


def positions(call: Call) -> tuple[int, ...]:
    """The inputs that are there."""
    return tuple(i for i in range(len(call.node.inputs)) if call.has(i))


def strides(call: Call, position: int) -> tuple[int, ...]:
    """Strides of an input in elements along the output's axes; 0 where it is repeated."""
    shape = aligned(call, position)
    return tuple(0 if size == 1 else stride for size, stride in zip(shape, strides_of(shape), strict=True))


def read_indices(call: Call, element: int, inputs: Sequence[int]) -> dict[int, NDArray[np.int64]]:
    """Input position → linear index of the element that meets output element `element`."""
    place = np.unravel_index(element, call.output_shape()) if call.output_shape() else ()
    return {
        position: np.array(
            [sum(int(i) * stride for i, stride in zip(place, strides(call, position), strict=True))], dtype=np.int64
        )
        for position in inputs
    }
