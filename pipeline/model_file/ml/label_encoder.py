"""LabelEncoder: for each element the value that belongs to it as a key, numbers to numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float

OPERATOR = "LabelEncoder"


def write(node: Writer) -> None:
    """X of any shape; one that is no key becomes the default. Raises UnsupportedError for texts."""
    keys, values = (_table(node, name) for name in ("keys", "values"))
    integers = values.dtype.kind in "iu"
    default = node.attribute("default_tensor", None)
    if default is None or not np.size(default):
        default = node.attribute("default_int64", -1) if integers else node.attribute("default_float", -0.0)
    listed = node.add("Unsqueeze", as_float(node), node.whole(-1, label="axes"), label="each")
    same = node.add("Equal", listed, node.constant(keys.astype(np.float32), label="keys"), label="same")
    if np.isnan(keys.astype(np.float64)).any():
        unknown = node.constant(np.isnan(keys.astype(np.float64)), "bool", label="unknown")
        same = node.add("Or", same, node.add("And", node.add("IsNaN", listed), unknown), label="or_unknown")
    numbered = node.add("Cast", same, label="numbered", to=TensorProto.FLOAT)
    found = node.add("Gather", node.constant(values, values.dtype.name, label="values"),
                     node.add("ArgMax", numbered, label="place", axis=-1, keepdims=0))  # fmt: skip
    any_ = node.add("ReduceMax", numbered, node.whole(-1, label="axes"), label="any", keepdims=0)
    is_key = node.add("Cast", any_, label="is_key", to=TensorProto.BOOL)
    node.result(0, node.add("Where", is_key, found, node.constant(np.reshape(default, ()), values.dtype.name)))


def _table(node: Writer, name: str) -> NDArray[Any]:
    tensor = node.attribute(f"{name}_tensor", None)
    if tensor is not None and np.size(tensor) and np.asarray(tensor).dtype.kind in "fiu":
        return np.asarray(tensor).reshape(-1)
    for kind, dtype in (("int64s", np.int64), ("floats", np.float32)):
        listed = node.attribute(f"{name}_{kind}", ())
        if np.size(listed):
            return np.asarray(listed, dtype=dtype)
    raise node.refusal(f"{name} that are numbers", "texts, or none", "Encode labels as numbers before the model.")
