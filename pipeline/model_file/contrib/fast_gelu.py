"""FastGelu: Gelu by a hyperbolic tangent, of x or of x + bias."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FastGelu"


def write(node: Writer) -> None:
    """X of any shape, perhaps a bias [last axis of X]."""
    x = node.add("Add", node.x(0), node.x(1), label="sum") if node.has(1) else node.x(0)
    node.result(0, node.add("Gelu", x, approximate="tanh"))
