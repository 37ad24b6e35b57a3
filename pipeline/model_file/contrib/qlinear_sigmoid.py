"""QLinearSigmoid: the sigmoid of a quantised tensor, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearSigmoid"


def write(node: Writer) -> None:
    """X with scale and zero point, then those of Y."""
    node.result(0, codes(node, node.add("Sigmoid", real(node, 0, 1, 2)), 3, 4, node.given(0).dtype))
