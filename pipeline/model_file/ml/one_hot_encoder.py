"""OneHotEncoder: one for the category that an element is, zero for the others."""

from __future__ import annotations

from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float, labels

OPERATOR = "OneHotEncoder"


def write(node: Writer) -> None:
    """X of any shape, with an axis of categories after it; an element of no category has zeros alone."""
    categories = node.constant(labels(node, "cats_int64s", "cats_strings"), label="categories")
    each = node.add("Unsqueeze", as_float(node), node.whole(-1, label="axes"), label="each")
    node.result(0, node.add("Cast", node.add("Equal", each, categories), to=TensorProto.FLOAT))
