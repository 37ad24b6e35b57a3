"""QLinearLeakyRelu: a quantised tensor, its negative numbers times α, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearLeakyRelu"


def write(node: Writer) -> None:
    """X with scale and zero point, then those of Y."""
    y = node.add("LeakyRelu", real(node, 0, 1, 2), alpha=float(node.attribute("alpha", 0.01)))
    node.result(0, codes(node, y, 3, 4, node.given(0).dtype))
