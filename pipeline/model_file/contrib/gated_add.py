"""GatedAdd: y = a + b · gate, a gate a row."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "GatedAdd"


def write(node: Writer) -> None:
    """A and B […, C], gate […, 1]."""
    node.result(0, node.add("Add", node.x(0), node.add("Mul", node.x(1), node.x(2), label="gated")))
