"""QLinearAdd: the sum of two quantised tensors, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearAdd"


def write(node: Writer) -> None:
    """A and B, each with scale and zero point, then those of C."""
    total = node.add("Add", real(node, 0, 1, 2), real(node, 3, 4, 5), label="sum")
    node.result(0, codes(node, total, 6, 7, node.given(0).dtype))
