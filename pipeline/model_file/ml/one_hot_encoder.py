"""Expands OneHotEncoder: one for an element's category, zero for the others."""

from __future__ import annotations

from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float, labels

OPERATOR = "OneHotEncoder"


def write(node: Writer) -> None:
    """Takes X of any shape, and adds an axis of categories; an element of no category has only zeros."""
    categories = node.constant(labels(node, "cats_int64s", "cats_strings"), label="categories")
    each = node.add("Unsqueeze", as_float(node), node.whole(-1, label="axes"), label="each")
    node.result(0, node.add("Cast", node.add("Equal", each, categories), to=TensorProto.FLOAT))
