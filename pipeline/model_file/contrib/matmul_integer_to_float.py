"""MatMulIntegerToFloat: the product of two quantised tensors, in real numbers."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "MatMulIntegerToFloat"


def write(node: Writer) -> None:
    """A and B, their scales, their zero points, and a bias; those of B may be one a column."""
    product = node.add("MatMul", shifted(node, 0, 4), shifted(node, 1, 5), label="product")
    scale = node.add("Mul", per_tensor(node, 2), per_tensor(node, 3), label="scales")
    y = node.add("Mul", product, scale, label="scaled")
    node.result(0, node.add("Add", y, node.x(6)) if node.has(6) else y)
