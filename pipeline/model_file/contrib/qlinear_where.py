"""QLinearWhere: of two quantised tensors the one that a condition says, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearWhere"


def write(node: Writer) -> None:
    """The condition, X and Y, each with scale and zero point, then those of Z."""
    chosen = node.add("Where", node.x(0), real(node, 1, 2, 3), real(node, 4, 5, 6))
    node.result(0, codes(node, chosen, 7, 8, node.given(1).dtype))
