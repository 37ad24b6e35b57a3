"""BiasAdd: y = x + bias + skip, the bias along the last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "BiasAdd"


def write(node: Writer) -> None:
    """X [N, S, C], bias [C], skip [N, S, C]."""
    node.result(0, node.add("Add", node.add("Add", node.x(0), node.x(1), label="biased"), node.x(2)))
