"""Affine: y = α·x + β."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Affine"


def write(node: Writer) -> None:
    """X of any shape."""
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("alpha", 1.0), label="alpha"), label="scaled")
    node.result(0, node.add("Add", scaled, node.constant(node.attribute("beta", 0.0), label="beta")))
