"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.dialects.tfjs.meanings.activations import finished
from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program

_TURNED = (0, 2, 1)


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Of the class that multiplies packed matrices: whether they lie transposed is told by what it samples."""
    return (_product,) if program.name == "MatMulPackedProgram" else ()


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
