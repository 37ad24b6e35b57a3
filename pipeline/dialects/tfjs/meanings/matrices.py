"""Translates products of matrices, and reductions of their rows to a number each; long rows take several programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError, finished
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program

_TURNED = (0, 2, 1)


def _product(step: NodeBuilder) -> None:
    a, b = step.plain("matrixA"), step.plain("matrixB")
    rows, columns = step.output_shape[-2:]
    shape_a, shape_b = step.shape("matrixA"), step.shape("matrixB")
    inner_last = shape_a[2] in shape_b[1:] and shape_a[1] == rows
    if "getMatrixA(batchA, i * 2, rc.y)" in step.text or not inner_last:
        a = step.add("Transpose", a, perm=_TURNED)
    if "getMatrixB(batchB, rc.z, i * 2)" in step.text or shape_b[2] != columns:
        b = step.add("Transpose", b, perm=_TURNED)
    one, other = step.values[a].shape, step.values[b].shape
    if (max(one[0], other[0]), one[1], other[2]) != step.output_shape or one[2] != other[1]:
        raise NoMeaningError("another product")
    step.ends(finished(step, step.add("MatMul", a, b), image=False))


# The stored expression shows the kind of reduction.
_RESULTS = {"max(": "ReduceMax", "min(": "ReduceMin", "sumValue": "ReduceSum", "prodValue": "ReduceProd"}


def readings(program: Program, text: str) -> Sequence[Reading]:
    """Yields readings of products, and of reductions by what is stored: a softmax takes the largest, then the sum.

    Sampled texels show whether the packed matrices of a product are transposed.
    """
    if program.name == "MatMulPackedProgram":
        return (_product,)
    if program.name == "MeanProgram":
        return (partial(_reduced, "ReduceMean"), partial(_reduced, "ReduceSum"), _share)
    if program.name != "ReduceProgram":
        return ()
    found = [op_type for result, op_type in _RESULTS.items() if f"setOutput({result}" in text]
    return [partial(_reduced, op_type) for op_type in found]


def _share(step: NodeBuilder) -> None:
    """Returns parts of a mean: sums of parts of a row over the size of the whole."""
    _reduced("ReduceSum", step, over=step.shape("x")[1])


def _reduced(op_type: str, step: NodeBuilder, over: int = 1) -> None:
    batch, size = step.shape("x")
    parts = math.prod(step.output_shape) // batch
    if parts < 1 or size % parts:
        raise NoMeaningError("parts of different sizes")
    x = step.reshaped(step.plain("x"), (batch * parts, size // parts))
    y = step.add(op_type, x, step.whole(1), keepdims=1, noop_with_empty_axes=0)
    if over > 1:
        y = step.add("Div", y, step.constant(np.array(over, dtype=np.float32)))
    step.ends(step.reshaped(y, step.output_shape))
