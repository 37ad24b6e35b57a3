"""Scale: y = scale · x."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Scale"


def write(node: Writer) -> None:
    """X of any shape."""
    node.result(0, node.add("Mul", node.x(0), node.constant(node.attribute("scale", 1.0), label="scale")))
