"""ExpandDims: one axis of one element more."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ExpandDims"


def write(node: Writer) -> None:
    """X and the axis, int32."""
    axis = int(node.value(1, "the axis").reshape(()))
    node.result(0, node.add("Unsqueeze", node.x(0), node.whole(axis, label="axes")))
