"""QLinearConcat: quantised tensors side by side, quantised alike."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearConcat"


def write(node: Writer) -> None:
    """Scale and zero point of Y, then each tensor with its own."""
    parts = [real(node, position, position + 1, position + 2) for position in range(2, len(node.inputs), 3)]
    joined = node.add("Concat", *parts, axis=int(node.required("axis")))
    node.result(0, codes(node, joined, 0, 1, node.given(2).dtype))
