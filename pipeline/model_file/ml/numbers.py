"""What several operators share: inputs as floats, labels as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer


def as_float(node: Writer) -> str:
    """The first input in float32. Raises UnsupportedError for one that is omitted."""
    if node.given(0).dtype == "float32":
        return node.x(0)
    return node.add("Cast", node.x(0), label="x", to=TensorProto.FLOAT)


def numbers(node: Writer, *names: str) -> NDArray[Any]:
    """float32 of the first of these attributes that the node has, a list or a tensor; none of it if it has none."""
    for name in names:
        value = node.attribute(name, None)
        if value is not None and np.size(value):
            return np.asarray(value, dtype=np.float32).reshape(-1)
    return np.zeros(0, dtype=np.float32)


def labels(node: Writer, name: str, texts: str) -> NDArray[np.int64]:
    """Labels of classes. Raises UnsupportedError where they are texts."""
    if node.attribute(texts, ()):
        raise node.refusal("labels that are numbers", "texts", "Export the classifier with numbers for its classes.")
    return np.asarray(node.required(name), dtype=np.int64)
