"""Slice: starts, ends, axes and steps as inputs, or (before opset 10) as attributes."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.operators.affine import AffineMap, strides_of
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.movement import Movement


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


OPERATORS = (Movement("Slice", "Every n-th element of a range along each axis.", _slice),)
