"""Evaluates products of matrices, of real numbers or of codes of a few bits, and what is made of several products."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.quantised import by_range, offset


def spelt(packed: Array, bits: int) -> Array:
    """Unpacks every byte [rows, k] into numbers of `bits` bits, the lowest first: float64 [rows, k · 8 / bits]."""
    apart = np.unpackbits(packed, axis=-1, bitorder="little").reshape(len(packed), -1, bits)
    return np.asarray(apart @ (2.0 ** np.arange(bits)))


def matmul_nbits(invocation: Invocation) -> Outputs:
    """Evaluates MatMulNBits: A times the transpose of (code − zero point) · scale, codes packed from the lowest bit up.

    Maps A […, K], B uint8 [N, blocks, bytes], scales [N, blocks], zero points, g_idx, bias → […, N].
    """
    a, packed = invocation.required(0), invocation.required(1)
    rows, depth, block = (int(invocation.attribute(name)) for name in ("N", "K", "block_size"))
    bits = int(invocation.attributes.get("bits", 4))
    blocks = (depth + block - 1) // block
    scales = invocation.required(2).reshape(rows, blocks).astype(np.float64)
    zero = invocation.input(3)
    if zero is None:
        zeros = np.full((rows, blocks), 2.0 ** (bits - 1))
    elif zero.dtype == np.uint8:
        zeros = spelt(zero.reshape(rows, -1), bits)[:, :blocks]
    else:
        zeros = zero.reshape(rows, blocks)
    codes = spelt(packed.reshape(rows, -1), bits).reshape(rows, blocks, block)
    weights = ((codes - zeros[..., None]) * scales[..., None]).reshape(rows, -1)[:, :depth]
    y, bias = a.astype(np.float64) @ weights.T, invocation.input(5)
    return ((y if bias is None else y + bias).astype(a.dtype),)


def gather_block_quantized(invocation: Invocation) -> Outputs:
    """Evaluates GatherBlockQuantized: Gather of codes, then (code − zero point) · scale, scales by block of a row.

    Maps bytes [rows, columns · bits / 8], indices, scales [rows, blocks], packed zero points or None → rows.
    """
    data, indices, scales, zero = (invocation.input(position) for position in range(4))
    assert data is not None
    assert indices is not None
    assert scales is not None
    said = invocation.attributes
    if (
        data.dtype != np.uint8
        or data.ndim != 2
        or said.get("gather_axis", 0)
        or said.get("quantize_axis", 1) not in (1, -1)
    ):
        raise ValueError("no table but of bytes, in blocks along its rows")
    bits, block = int(said.get("bits", 4)), int(said.get("block_size", 128))
    codes = spelt(data, bits)[indices]
    zeros = (
        2.0 ** (bits - 1) if zero is None else np.repeat(spelt(zero, bits)[indices], block, -1)[..., : codes.shape[-1]]
    )
    steps = np.repeat(scales[indices], block, axis=-1)[..., : codes.shape[-1]]
    return (((codes - zeros) * steps).astype(scales.dtype),)


def fused_matmul(invocation: Invocation) -> Outputs:
    """Evaluates FusedMatMul: alpha · A · B; transA swaps the last two axes, transBatchA moves the first one there.

    Maps A and B → their product as numpy.matmul has it.
    """
    a, b = (_turned(invocation, position, letter) for position, letter in enumerate("AB"))
    alpha = float(invocation.attributes.get("alpha", 1.0))
    return ((alpha * (a.astype(np.float64) @ b)).astype(a.dtype),)


def _turned(invocation: Invocation, position: int, letter: str) -> Array:
    x = invocation.required(position)
    if invocation.attribute(f"transBatch{letter}") and x.ndim > 2:
        x = np.moveaxis(x, 0, -2)
    return np.swapaxes(x, -1, -2) if invocation.attribute(f"trans{letter}") and x.ndim > 1 else x


def transpose_matmul(invocation: Invocation) -> Outputs:
    """Maps A and B → their product: "duplicate of FusedMatMul", without its attributes about batches."""
    return fused_matmul(invocation)


def matmul_integer_to_float(invocation: Invocation) -> Outputs:
    """Evaluates MatMulIntegerToFloat: (A − a_zero)·(B − b_zero) · a_scale · b_scale + bias.

    Maps A, B, a_scale, b_scale, a_zero, b_zero, bias → [M, N]; those of B are one for all or one a column.
    """
    product = offset(invocation, 0, 4) @ offset(invocation, 1, 5)
    y = product * invocation.required(2).astype(np.float64) * invocation.required(3)
    bias = invocation.input(6)
    return ((y if bias is None else y + bias).astype(invocation.required(3).dtype),)


def dynamic_quantize_matmul(invocation: Invocation) -> Outputs:
    """Evaluates DynamicQuantizeMatMul: A, quantised as by DynamicQuantizeLinear, times a quantised B.

    Maps A, B, b_scale, b_zero, bias → A · B; scale and zero of B are one for all or one a column.
    """
    a, bias = invocation.required(0), invocation.input(4)
    steps, scale = by_range(a)
    y = steps @ offset(invocation, 1, 3) * scale * invocation.required(2)
    return ((y if bias is None else y + bias).astype(a.dtype),)


def qgemm(invocation: Invocation) -> Outputs:
    """Evaluates QGemm: Y = alpha · a_scale · b_scale · ((A − a_zero)·(B − b_zero) + C), quantised if y_scale is there.

    Maps A, scale, zero point, B, its scales and zero points, C int32, scale and zero point of Y → [M, N].
    """
    said = invocation.attributes
    a, b = offset(invocation, 0, 2), invocation.required(3).astype(np.float64)
    columns = (b.T if said.get("transB", 0) else b) - invocation.required(5)
    total = (a.T if said.get("transA", 0) else a) @ columns
    if invocation.input(6) is not None:
        total = total + invocation.required(6)
    scales = invocation.required(1).reshape(()) * invocation.required(4).astype(np.float64)
    y = total * (float(said.get("alpha", 1.0)) * (scales if scales.size > 1 else scales.reshape(())))
    step, zero = invocation.input(7), invocation.input(8)
    return (y.astype(np.float32) if step is None else _codes(y / step.reshape(()), zero),)


def _codes(steps: Array, zero: Array | None) -> Array:
    point = np.zeros((), dtype=np.uint8) if zero is None else zero.reshape(())
    limits = np.iinfo(point.dtype)
    codes: Array = np.clip(np.rint(steps) + point.astype(np.float64), limits.min, limits.max)
    return codes.astype(point.dtype)


def cdist(invocation: Invocation) -> Outputs:
    """Evaluates CDist: scipy's distances of each row of A from each row of B, by default squared euclidean.

    Maps A [M, K], B [N, K] → [M, N]. Raises ValueError for another metric than the two.
    """
    a, b = invocation.required(0), invocation.required(1)
    squares = ((a[:, None].astype(np.float64) - b[None]) ** 2).sum(axis=-1)
    metric = invocation.attributes.get("metric", "sqeuclidean")
    if metric not in ("sqeuclidean", "euclidean"):
        raise ValueError(f"no metric '{metric}'")
    return ((squares if metric == "sqeuclidean" else np.sqrt(squares)).astype(a.dtype),)


def inverse(invocation: Invocation) -> Outputs:
    """Evaluates Inverse: of each matrix of X […, n, n]; numpy refuses one that has none. Maps X → its shape."""
    x = invocation.required(0)
    return (np.linalg.inv(x.astype(np.float64)).astype(x.dtype),)


OPERATORS: Mapping[str, Evaluate] = {
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
