"""Expands products of matrices, of real numbers or of codes of a few bits, and what is made of several products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.model_file.contrib.quantised import as_float, codes_of_quotient, per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Write, Writer

Array = NDArray[Any]
_FLOAT = 1  # TensorProto.FLOAT
LARGEST = 4  # rows; Det knows no larger ones


def unpacked(packed: Array, bits: int) -> Array:
    """Unpacks bytes uint8 […, k] to their codes uint8 […, k · 8 / bits], the lowest bits first."""
    places = np.arange(0, 8, bits, dtype=np.uint8)
    codes = packed[..., None] >> places & np.uint8((1 << bits) - 1)
    return np.asarray(codes.reshape(*packed.shape[:-1], -1))


def real(codes: Array, scales: Array, zeros: Array, block: int) -> Array:
    """Returns (code − zero point) · scale [rows, columns], rounded once in the type of the scales [rows, blocks].

    Zero points [rows, blocks] are codes or, of the type of the scales, numbers between them. This replaces nodes with
    the same effect, whose results would take memory as well.
    """
    columns = codes.shape[-1]
    kind = scales.dtype
    less = codes.astype(kind) - np.repeat(zeros.astype(kind), block, axis=-1)[..., :columns]
    return np.asarray(less * np.repeat(scales, block, axis=-1)[..., :columns])


def matmul_nbits(node: Writer) -> None:
    """Expands MatMulNBits: y = x · Wᵀ + b, W packed in two, four or eight bits with a scale for each block of a row.

    Takes A […, K], B uint8 [N, blocks, bytes], scales [N, blocks], zero points packed alike or real, bias [N].
    """
    depth, count = int(node.required("K")), int(node.required("N"))
    bits, block = int(node.attribute("bits", 4)), int(node.required("block_size"))
    if bits not in (2, 4, 8) or node.has(4) or node.attribute("weight_prepacked", 0):
        got = f"{bits} bits" if bits not in (2, 4, 8) else "a g_idx" if node.has(4) else "prepacked weights"
        raise node.refusal("2, 4 or 8 bits in their plain order", got, "Quantise without it.")
    blocks = -(-depth // block)
    codes = unpacked(node.value(1, "weights"), bits).reshape(count, blocks * block)[:, :depth]
    scales = node.value(2, "scales").reshape(count, blocks)
    zeros = np.full((count, blocks), 1 << (bits - 1), dtype=np.uint8)
    if node.has(3):
        zeros = node.value(3, "zero points").reshape(count, -1)
        zeros = unpacked(zeros, bits)[:, :blocks] if zeros.dtype == np.uint8 else zeros
    weights = node.constant(real(codes, scales, zeros, block).T, scales.dtype.name, "weights")
    y = node.add("MatMul", node.x(0), weights, label="product")
    node.result(0, node.add("Add", y, node.x(5)) if node.has(5) else y)


def gather_block_quantized(node: Writer) -> None:
    """Expands GatherBlockQuantized: rows of a table that is quantised by blocks.

    Takes the table in bytes [rows, columns · bits / 8], indices, scales by block, and zero points packed alike.
    """
    data, scales = node.value(0, "the table"), node.value(2, "scales")
    bits, block = int(node.attribute("bits", 4)), int(node.attribute("block_size", 128))
    axis, gathered = int(node.attribute("quantize_axis", 1)), int(node.attribute("gather_axis", 0))
    if data.dtype != np.uint8 or axis % data.ndim != data.ndim - 1 or gathered != 0:
        raise node.refusal("a table of bytes, in blocks along its last axis", f"{data.dtype} along axis {axis}")
    zeros = np.full(scales.shape, 1 << (bits - 1), dtype=np.uint8)
    if node.has(3):
        zeros = unpacked(node.value(3, "zero points"), bits)[..., : scales.shape[-1]]
    table = node.constant(real(unpacked(data, bits), scales, zeros, block), scales.dtype.name, "table")
    node.result(0, node.add("Gather", table, node.x(1), axis=0))


def fused_matmul(node: Writer) -> None:
    """Expands FusedMatMul: y = α·A'·B', each perhaps transposed. Takes A and B, with their axes in any order."""
    product = node.add("MatMul", turned(node, 0, "A"), turned(node, 1, "B"), label="product")
    alpha = float(node.attribute("alpha", 1.0))
    node.result(0, product if alpha == 1.0 else node.add("Mul", product, node.constant(alpha, label="alpha")))


def turned(node: Writer, position: int, letter: str) -> str:
    """Returns the operand in the order in which MatMul reads it."""
    axes = list(range(node.given(position).rank))
    if node.attribute(f"transBatch{letter}", 0) and len(axes) > 2:
        axes = [*axes[1:-1], axes[0], axes[-1]]
    if node.attribute(f"trans{letter}", 0) and len(axes) > 1:
        axes = [*axes[:-2], axes[-1], axes[-2]]
    x = node.x(position)
    return x if axes == sorted(axes) else node.add("Transpose", x, perm=axes, label=f"{letter.lower()}/turned")


def transpose_matmul(node: Writer) -> None:
    """Expands TransposeMatMul: the older name of FusedMatMul. Takes A and B as FusedMatMul."""
    fused_matmul(node)


def matmul_integer_to_float(node: Writer) -> None:
    """Expands MatMulIntegerToFloat: the product of two quantised tensors, in real numbers.

    Takes A and B, their scales, their zero points, and a bias; those of B may be one per column.
    """
    product = node.add("MatMul", shifted(node, 0, 4), shifted(node, 1, 5), label="product")
    scale = node.add("Mul", per_tensor(node, 2), per_tensor(node, 3), label="scales")
    y = node.add("Mul", product, scale, label="scaled")
    node.result(0, node.add("Add", y, node.x(6)) if node.has(6) else y)


def dynamic_quantize_matmul(node: Writer) -> None:
    """Expands DynamicQuantizeMatMul: a tensor quantised by its own range, times a quantised matrix, in real numbers.

    Takes A, B with scales and zero points, perhaps one per column, and a bias.
    """
    codes, scale, zero = node.add_several("DynamicQuantizeLinear", node.x(0), labels=("codes", "scale", "zero"))
    a = node.add("Sub", *(node.add("Cast", each, to=_FLOAT) for each in (codes, zero)), label="codes/shifted")
    product = node.add("MatMul", a, shifted(node, 1, 3), label="product")
    y = node.add("Mul", product, node.add("Mul", scale, per_tensor(node, 2), label="scales"), label="scaled")
    node.result(0, node.add("Add", y, node.x(4)) if node.has(4) else y)


def qgemm(node: Writer) -> None:
    """Expands QGemm: the product of two quantised matrices with an integer bias, quantised or in real numbers.

    Takes A and B, each with scale and zero point, C in units of α · both scales, then scale and zero point of Y.
    """
    a, b = shifted(node, 0, 2), as_float(node, 3)
    a = node.add("Transpose", a) if node.attribute("transA", 0) else a
    b = node.add("Transpose", b) if node.attribute("transB", 0) else b
    b = node.add("Sub", b, as_float(node, 5), label="b/shifted") if node.has(5) else b
    product = node.add("MatMul", a, b, label="product")
    total = node.add("Add", product, as_float(node, 6), label="sum") if node.has(6) else product
    scale = node.add("Mul", per_tensor(node, 1), per_tensor(node, 4), label="scales")
    alpha = float(node.attribute("alpha", 1.0))
    scale = scale if alpha == 1.0 else node.add("Mul", scale, node.constant(alpha, label="alpha"), label="scales")
    if not node.has(7):
        node.result(0, node.add("Mul", total, scale))
        return
    ratio = node.add("Div", scale, per_tensor(node, 7), label="ratio")
    node.result(0, codes_of_quotient(node, node.add("Mul", total, ratio, label="scaled"), 8, "uint8"))


def cdist(node: Writer) -> None:
    """Expands CDist: the distance of every row of one matrix from every row of another. Takes A [M, K], B [N, K]."""
    metric = str(node.attribute("metric", "sqeuclidean"))
    if metric not in ("sqeuclidean", "euclidean"):
        raise node.refusal("a metric out of euclidean, sqeuclidean", f"'{metric}'", "Use another metric.")
    a = node.add("Unsqueeze", node.x(0), node.whole(1, label="axes"), label="rows")
    apart = node.add("Sub", a, node.x(1), label="apart")
    squares = node.add("ReduceSumSquare", apart, node.whole(-1, label="axes"), keepdims=0, label="squares")
    node.result(0, squares if metric == "sqeuclidean" else node.add("Sqrt", squares))


def inverse(node: Writer) -> None:
    """Expands Inverse: the adjugate of small matrices (determinants without a row and a column) over the determinant.

    Takes X […, n, n].
    """
    shape, size = node.given(0).shape, node.given(0).shape[-1]
    if size > LARGEST:
        raise node.refusal(f"matrices of at most {LARGEST} rows", str(size), "Go on after it with the oracle's value.")
    if size == 1:
        node.result(0, node.add("Reciprocal", node.x(0)))
        return
    rows = np.arange(size)
    others = np.array([np.delete(rows, row) for row in rows])  # [row, n - 1]
    # At [j, i] stand the elements without row i and column j, in order.
    places = others[None, :, :, None] * size + others[:, None, None, :]
    flat = node.reshape(node.x(0), *shape[:-2], size * size, label="flat")
    minors = node.add("Gather", flat, node.constant(places, "int64", "places"), axis=len(shape) - 2, label="minors")
    signs = node.constant((-1.0) ** np.add.outer(rows, rows), label="signs")
    cofactors = node.add("Mul", node.add("Det", minors, label="determinants"), signs, label="cofactors")
    whole = node.add("Unsqueeze", node.add("Det", node.x(0)), node.whole(-2, -1, label="axes"), label="determinant")
    node.result(0, node.add("Div", cofactors, whole))


OPERATORS: Mapping[str, Write] = {
    "MatMulNBits": matmul_nbits,
    "GatherBlockQuantized": gather_block_quantized,
    "FusedMatMul": fused_matmul,
    "TransposeMatMul": transpose_matmul,
    "MatMulIntegerToFloat": matmul_integer_to_float,
    "DynamicQuantizeMatMul": dynamic_quantize_matmul,
    "QGemm": qgemm,
    "CDist": cdist,
    "Inverse": inverse,
}
