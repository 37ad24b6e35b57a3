"""MatMulNBits: y = x · Wᵀ + b, W packed in two, four or eight bits with a scale for each block of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.model_file.contrib.writer import Writer

OPERATOR = "MatMulNBits"


def write(node: Writer) -> None:
    """A […, K], B uint8 [N, blocks, bytes], scales [N, blocks], zero points packed alike or real, bias [N]."""
    depth, count = int(node.required("K")), int(node.required("N"))
    bits, block = int(node.attribute("bits", 4)), int(node.required("block_size"))
    if bits not in (2, 4, 8) or node.has(4) or node.attribute("weight_prepacked", 0):
        got = f"{bits} bits" if bits not in (2, 4, 8) else "a g_idx" if node.has(4) else "prepacked weights"
        raise node.refusal("2, 4 or 8 bits in their plain order", got, "Quantise without it.")
    blocks = -(-depth // block)
    codes = unpacked(node.value(1, "weights"), bits).reshape(count, blocks * block)[:, :depth]
    scales = node.value(2, "scales").reshape(count, blocks)
    zeros = np.full((count, blocks), 1 << (bits - 1), dtype=np.uint8)
    zero = node.value(3, "zero points") if node.has(3) else zeros
    if zero.dtype == np.uint8:
        zero = unpacked(zero.reshape(count, -1), bits)[:, :blocks] if node.has(3) else zero
        weight = node.add(
            "DequantizeLinear",
            node.constant(codes, "uint8", "codes"),
            node.constant(scales, scales.dtype.name, "scales"),
            node.constant(zero, "uint8", "zeros"),
            axis=1,
            block_size=block,
            label="weights",
        )
    else:  # zero points between codes
        spread = np.repeat(zero.reshape(count, blocks), block, axis=1)[:, :depth]
        less = node.add("Sub", node.constant(codes, label="codes"), node.constant(spread, label="zeros"))
        steps = np.repeat(scales, block, axis=1)[:, :depth]
        weight = node.add("Mul", less, node.constant(steps, scales.dtype.name, "scales"), label="weights")
    y = node.add("MatMul", node.x(0), node.add("Transpose", weight), label="product")
    node.result(0, node.add("Add", y, node.x(5)) if node.has(5) else y)


def unpacked(packed: NDArray[Any], bits: int) -> NDArray[Any]:
    """Bytes uint8 […, k] as their codes uint8 […, k · 8 / bits], the lowest bits first."""
    places = np.arange(0, 8, bits, dtype=np.uint8)
    codes = packed[..., None] >> places & np.uint8((1 << bits) - 1)
    return np.asarray(codes.reshape(*packed.shape[:-1], -1))
