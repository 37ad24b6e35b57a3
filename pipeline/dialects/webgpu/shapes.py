"""Finds the shape of a tensor in a program's uniforms: engines hand it over as a member that is named after the buffer.

TensorFlow.js calls the shape of `x` `xShape`, ONNX Runtime Web `x_shape`; that of an output is `outShape` or
`output_shape` too. A shape counts if it has as many numbers as the buffer, or fewer where only zeros lie behind them:
engines take buffers that are larger than a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.recordings.entries import MAX_SIDE
from texelscope.pipeline.dialects.webgpu.dispatches import RunnableDispatch, is_written
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.wgsl.resources import Resource
from texelscope.pipeline.wgsl.types import ArrayOf, VectorType

_OF_OUTPUTS = ("outShape", "output_shape")


def shape_of(each: RunnableDispatch, variable: Resource, numbers: NDArray[np.float32]) -> Shape | None:
    """Returns the shape of what a buffer holds, float32 [count], as a program that has it says; None if it does not."""
    element = variable.type.element if isinstance(variable.type, ArrayOf) else None
    lanes = element.size if isinstance(element, VectorType) else 1
    # Some engines count the numbers of the last axis, others its vectors.
    shapes = [
        shape for sizes in _candidates(each, variable) for shape in (sizes, (*sizes[:-1], sizes[-1] * lanes))
        if all(0 < size < MAX_SIDE for size in shape)
    ]  # fmt: skip
    exact = next((shape for shape in shapes if math.prod(shape) == numbers.size), None)
    if exact is not None:
        return exact
    fits = [shape for shape in shapes if math.prod(shape) < numbers.size and not numbers[math.prod(shape) :].any()]
    return max(fits, key=math.prod, default=None)


def _candidates(each: RunnableDispatch, variable: Resource) -> Iterator[Shape]:
    name = variable.name
    names = {f"{name[0].lower()}{name[1:]}Shape", f"{name}_shape", *(_OF_OUTPUTS if is_written(variable) else ())}
    for key, value in each.uniforms.items():
        if key.rpartition(".")[2] in names:
            numbers = value if isinstance(value, tuple) else (value,)
            if all(isinstance(number, int) for number in numbers):
                yield tuple(int(number) for number in numbers)
