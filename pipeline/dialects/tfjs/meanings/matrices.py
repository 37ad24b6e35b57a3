"""Translates products of matrices, and reductions of their rows to a number each; long rows take several programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading, guesses, stated
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError, finished
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.graph import Shape

_TURNED = (0, 2, 1)


# Kernels that say which matrices are transposed, and kernels that make a convolution a product.
_PRODUCTS = frozenset({"BatchMatMul", "_FusedMatMul"})
_CONVOLUTIONS = frozenset({"Conv2D", "FusedConv2D"})


def _product(step: NodeBuilder) -> None:
    a, b = step.plain("matrixA"), step.plain("matrixB")
    turns_a, turns_b = _turned(step)
    if turns_a:
        a = step.add("Transpose", a, perm=_TURNED)
    if turns_b:
        b = step.add("Transpose", b, perm=_TURNED)
    one, other = step.values[a].shape, step.values[b].shape
    if (max(one[0], other[0]), one[1], other[2]) != step.output_shape or one[2] != other[1]:
        raise NoMeaningError("another product")
    step.ends(finished(step, step.add("MatMul", a, b), image=False))


def _turned(step: NodeBuilder) -> tuple[bool, bool]:
    """Reports which matrices are transposed: as the kernel says, by their shapes, or by sampled texels."""
    if step.program.kernel in _PRODUCTS:
        return bool(step.attribute("transposeA")), bool(step.attribute("transposeB"))
    rows, columns = step.output_shape[-2:]
    shape_a, shape_b = step.shape("matrixA"), step.shape("matrixB")
    of_images = step.program.kernel in _CONVOLUTIONS and step.program.attributes.get("dataFormat") != "NCHW"
    if of_images and shape_a[1] != shape_a[2] and shape_b[2] == columns:
        return shape_a[1:] == (shape_b[1], rows), False
    maker = step.maker("matrixA")
    if of_images and maker is not None and maker.name == "Im2ColPackedProgram":
        return True, False
    step.is_guess = True
    inner_last = shape_a[2] in shape_b[1:] and shape_a[1] == rows
    return (
        "getMatrixA(batchA, i * 2, rc.y)" in step.text or not inner_last,
        "getMatrixB(batchB, rc.z, i * 2)" in step.text or shape_b[2] != columns,
    )


_REDUCTIONS = {"Max": "ReduceMax", "Min": "ReduceMin", "Sum": "ReduceSum", "Prod": "ReduceProd"}
# Under any other kernel the stored expression shows the kind of reduction.
_RESULTS = {"max(": "ReduceMax", "min(": "ReduceMin", "sumValue": "ReduceSum", "prodValue": "ReduceProd"}


def readings(program: Program, text: str) -> Sequence[Reading]:
    """Yields readings of products, and of reductions by their kernel.

    Other kernels reduce too: a softmax takes the largest, then the sum. What is stored shows which of them it is.
    """
    if program.name == "MatMulPackedProgram":
        return stated(_product)
    if program.name == "MeanProgram":
        if program.kernel == "Mean":
            return stated(_mean)
        return guesses(partial(_reduced, "ReduceMean"), partial(_reduced, "ReduceSum"), _share)
    if program.name != "ReduceProgram":
        return ()
    if program.kernel in _REDUCTIONS:
        return stated(partial(_reduced, _REDUCTIONS[program.kernel]))
    found = [op_type for result, op_type in _RESULTS.items() if f"setOutput({result}" in text]
    return guesses(*(partial(_reduced, op_type) for op_type in found))


def _mean(step: NodeBuilder) -> None:
    """Returns one stage of a mean: the first divides sums of parts by the size of the whole, later ones add them."""
    before = step.maker("x")
    is_later = before is not None and before.name == "MeanProgram" and before.kernel == "Mean"
    if is_later and before is not None and _parts(step.shape_made(before), before) > 1:
        _reduced("ReduceSum", step)
    else:
        _share(step)


def _share(step: NodeBuilder) -> None:
    """Returns parts of a mean: sums of parts of a row over the size of the whole."""
    _reduced("ReduceSum", step, over=step.shape("x")[1])


def _parts(made: Shape, program: Program) -> int:
    """Returns how many numbers the program makes of each row of its variable."""
    read = program.read("x")
    return math.prod(made) // read.shape[0] if read is not None and read.shape else 1


def _reduced(op_type: str, step: NodeBuilder, over: int = 1) -> None:
    batch, size = step.shape("x")
    parts = _parts(step.output_shape, step.program)
    if parts < 1 or size % parts:
        raise NoMeaningError("parts of different sizes")
    step.is_guess |= parts > 1 and size // parts != _window(size)
    x = step.reshaped(step.plain("x"), (batch * parts, size // parts))
    y = step.add(op_type, x, step.whole(1), keepdims=1, noop_with_empty_axes=0)
    if over > 1:
        y = step.add("Div", y, step.constant(np.array(over, dtype=np.float32)))
    step.ends(step.reshaped(y, step.output_shape))


def _window(size: int) -> int:
    """Returns how much of a long row one stage of TensorFlow.js reduces: its least divisor from the square root on."""
    least = math.isqrt(size)
    return min(other for i in range(1, least + 1) if size % i == 0 for other in (i, size // i) if other >= least)
