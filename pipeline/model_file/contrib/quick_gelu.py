"""QuickGelu: y = x · sigmoid(α·x)."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QuickGelu"


def write(node: Writer) -> None:
    """X of any shape."""
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("alpha", 1.702), label="alpha"), label="scaled")
    node.result(0, node.add("Mul", node.x(0), node.add("Sigmoid", scaled, label="gate")))
