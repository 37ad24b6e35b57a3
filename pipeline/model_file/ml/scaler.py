"""Scaler: y = (x − offset) · scale, one of each a feature or one for all."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float, numbers

OPERATOR = "Scaler"


def write(node: Writer) -> None:
    """X of any shape, whose last axis are features."""
    offset, scale = numbers(node, "offset"), numbers(node, "scale")
    x = as_float(node)
    x = node.add("Sub", x, node.constant(offset, label="offset"), label="shifted") if offset.size else x
    node.result(0, node.add("Mul", x, node.constant(scale if scale.size else 1.0, label="scale")))
