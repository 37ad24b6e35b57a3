"""BiasSplitGelu: the left half of x + bias times Gelu of the right half."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "BiasSplitGelu"


def write(node: Writer) -> None:
    """X [N, S, D], bias [D] → [N, S, D / 2]."""
    biased = node.add("Add", node.x(0), node.x(1), label="biased")
    left, right = node.add_several("Split", biased, labels=("left", "right"), axis=-1, num_outputs=2)
    node.result(0, node.add("Mul", left, node.add("Gelu", right)))
