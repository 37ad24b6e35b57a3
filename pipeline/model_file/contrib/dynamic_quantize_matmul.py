"""DynamicQuantizeMatMul: a tensor quantised by its own range, times a quantised matrix, in real numbers."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "DynamicQuantizeMatMul"
_FLOAT = 1  # TensorProto.FLOAT


def write(node: Writer) -> None:
    """A, B with scales and zero points that may be one a column, and a bias."""
    codes, scale, zero = node.add_several("DynamicQuantizeLinear", node.x(0), labels=("codes", "scale", "zero"))
    a = node.add("Sub", *(node.add("Cast", each, to=_FLOAT) for each in (codes, zero)), label="codes/shifted")
    product = node.add("MatMul", a, shifted(node, 1, 3), label="product")
    y = node.add("Mul", product, node.add("Mul", scale, per_tensor(node, 2), label="scales"), label="scaled")
    node.result(0, node.add("Add", y, node.x(4)) if node.has(4) else y)
