"""Converts inputs to floats and labels to numbers, and transforms scores at the end, for several operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer


def as_float(node: Writer) -> str:
    """Returns the first input in float32. Raises UnsupportedError if it is omitted."""
    if node.given(0).dtype == "float32":
        return node.x(0)
    return node.add("Cast", node.x(0), label="x", to=TensorProto.FLOAT)


def numbers(node: Writer, *names: str) -> NDArray[Any]:
    """Returns float32 of the first of these attributes that the node has, a list or a tensor; empty if it has none."""
    for name in names:
        value = node.attribute(name, None)
        if value is not None and np.size(value):
            return np.asarray(value, dtype=np.float32).reshape(-1)
    return np.zeros(0, dtype=np.float32)


def labels(node: Writer, name: str, texts: str) -> NDArray[np.int64]:
    """Returns labels of classes. Raises UnsupportedError if they are texts."""
    if node.attribute(texts, ()):
        raise node.refusal("labels that are numbers", "texts", "Export the classifier with numbers for its classes.")
    return np.asarray(node.required(name), dtype=np.int64)


def transformed(node: Writer, scores: str, kind: str) -> str:
    """Returns `scores` [N, targets] after the transformation. Raises UnsupportedError for a kind unknown to ONNX."""
    match kind:
        case "NONE":
            return scores
        case "SOFTMAX":
            return node.add("Softmax", scores, axis=-1)
        case "LOGISTIC":
            return node.add("Sigmoid", scores, label="logistic")
        case "SOFTMAX_ZERO":  # scores of 0 stay 0 and take no share
            zero = node.constant(0.0, label="zero")
            here = node.add("Not", node.add("Equal", scores, zero), label="here")
            largest = node.add("ReduceMax", scores, node.whole(-1, label="axes"), label="largest")
            power = node.add("Exp", node.add("Sub", scores, largest))
            kept = node.add("Mul", power, node.add("Cast", here, to=TensorProto.FLOAT), label="kept")
            total = node.add("ReduceSum", kept, node.whole(-1, label="axes"), label="total")
            some = node.add("Where", node.add("Equal", total, zero), node.constant(1.0, label="one"), total)
            return node.add("Div", kept, some)
    raise node.refusal("post_transform NONE, SOFTMAX, SOFTMAX_ZERO or LOGISTIC", f"'{kind}'", "Transform the scores.")
