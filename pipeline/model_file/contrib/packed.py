"""Expands operators on weights of a few bits, packed in bytes and scaled by blocks: unpacked before the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.model_file.contrib.writer import Write, Writer

Array = NDArray[Any]


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


OPERATORS: Mapping[str, Write] = {
    "MatMulNBits": matmul_nbits,
    "GatherBlockQuantized": gather_block_quantized,
}
