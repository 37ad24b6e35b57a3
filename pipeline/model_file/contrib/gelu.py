"""Gelu: y = x·Φ(x)."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Gelu"


def write(node: Writer) -> None:
    """X of any shape."""
    node.result(0, node.add("Gelu", node.x(0)))
