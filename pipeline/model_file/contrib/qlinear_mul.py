"""QLinearMul: the product of two quantised tensors, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes_of_quotient, per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearMul"


def write(node: Writer) -> None:
    """A and B, each with scale and zero point, then those of C; the scales are joined before they meet the product."""
    product = node.add("Mul", shifted(node, 0, 2), shifted(node, 3, 5), label="product")
    both = node.add("Mul", per_tensor(node, 1), per_tensor(node, 4), label="scales")
    ratio = node.add("Div", both, per_tensor(node, 6), label="ratio")
    scaled = node.add("Mul", product, ratio, label="scaled")
    node.result(0, codes_of_quotient(node, scaled, 7, node.given(0).dtype))
