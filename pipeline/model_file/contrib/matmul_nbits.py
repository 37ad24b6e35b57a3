"""MatMulNBits: y = x · Wᵀ + b, W packed in two, four or eight bits with a scale for each block of a row."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.packed import real, unpacked
from texelscope.pipeline.model_file.contrib.writer import Writer

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
    if node.has(3):
        zeros = node.value(3, "zero points").reshape(count, -1)
        zeros = unpacked(zeros, bits)[:, :blocks] if zeros.dtype == np.uint8 else zeros
    weights = node.constant(real(codes, scales, zeros, block).T, scales.dtype.name, "weights")
    y = node.add("MatMul", node.x(0), weights, label="product")
    node.result(0, node.add("Add", y, node.x(5)) if node.has(5) else y)
