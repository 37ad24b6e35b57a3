"""QGemm: the product of two quantised matrices with a bias of whole numbers, quantised or left as it is."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import as_float, codes_of_quotient, per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QGemm"


def write(node: Writer) -> None:
    """A and B, each with scale and zero point, C in units of α · both scales, then scale and zero point of Y."""
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
