"""BiasGelu: y = Gelu(a + b), b along the last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "BiasGelu"


def write(node: Writer) -> None:
    """A of any shape, B [last axis of A]."""
    node.result(0, node.add("Gelu", node.add("Add", node.x(0), node.x(1), label="sum")))
