"""Differentiates DequantizeLinear by its scales; its other input are whole numbers, which get no gradient."""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.backward import Backward


def dequantize(node: Backward) -> None:
    """Differentiates y = s · (x − zero point): ds sums dy · (x − zero point) per scale: of all, a slice, or a block."""
    if not node.wants(1):
        return
    shape, scales = node.shape(0), node.shape(1)
    said = {name: int(value) for name, value in node.some("axis", "block_size").items() if value is not None}
    ones = node.filled(1.0, scales, label="ones")
    zero_point = (node.x(2),) if node.has(2) else ()
    whole = node.add("DequantizeLinear", node.x(0), ones, *zero_point, label="less_zero_point", **said)
    product = node.add("Mul", node.dy(), whole, label="product")
    if math.prod(scales) == 1:
        summed = node.reduced("ReduceSum", product, range(len(shape)), label="over_all")
        node.result(1, node.to_shape(summed, scales, label="ds"))
        return
    axis = node.axis(default=1)
    block = said.get("block_size", 0)
    if len(scales) == len(shape) and block:
        node.result(1, _of_blocks(node, product, axis, block))
        return
    others = [each for each in range(len(shape)) if each != axis]
    node.result(1, node.reduced("ReduceSum", product, others, keep=False, label="ds"))


def _of_blocks(node: Backward, product: str, axis: int, block: int) -> str:
    """Returns sums over each block along an axis, the last one filled up with zeros."""
    shape, count = node.shape(0), node.shape(1)[axis]
    missing = count * block - shape[axis]
    if missing:
        pads = [0] * (2 * len(shape))
        pads[len(shape) + axis] = missing
        product = node.add("Pad", product, node.whole(*pads, label="pads"), label="whole_blocks")
    rows = (math.prod(shape[:axis]) * count, block, math.prod(shape[axis + 1 :]))
    summed = node.reduced("ReduceSum", node.to_shape(product, rows, label="blocks"), (1,), label="over_block")
    return node.to_shape(summed, node.shape(1), label="ds")


DERIVATIVES = {"DequantizeLinear": dequantize}
