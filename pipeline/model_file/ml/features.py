"""Expands operators that prepare features: they encode, scale, select and join columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper

from texelscope.pipeline.model_file.contrib.writer import Write, Writer

_NORMS = {"MAX": "ReduceMax", "L1": "ReduceL1", "L2": "ReduceL2"}


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


def array_feature_extractor(node: Writer) -> None:
    """Expands ArrayFeatureExtractor: y[…, j] = x[…, index[j]].

    Takes X of any shape, indices of any shape. For a list ONNX returns a matrix of one row.
    """
    index = node.reshape(node.x(1), -1, label="index")
    if node.given(0).rank == 1:
        node.result(0, node.add("Gather", node.reshape(node.x(0), 1, -1, label="row"), index, axis=-1))
    else:
        node.result(0, node.add("Gather", node.x(0), index, axis=-1))


def binarizer(node: Writer) -> None:
    """Expands Binarizer: y = 1 where x > threshold, else 0. Takes X of any shape and type, which is that of Y."""
    above = node.add("Greater", as_float(node), node.constant(node.attribute("threshold", 0.0), label="threshold"))
    node.result(0, node.add("Cast", above, to=helper.np_dtype_to_tensor_dtype(np.dtype(node.given(0).dtype))))


def feature_vectorizer(node: Writer) -> None:
    """Expands FeatureVectorizer: the inputs' columns side by side.

    Takes any number of inputs [N, C] or [N]; of each the first `inputdimensions` columns.
    """
    sizes = node.attribute("inputdimensions", ())
    columns = []
    for position in range(len(node.inputs)):
        given = node.given(position)
        part = node.reshape(given.name, given.shape[0], -1, label=f"part{position}") if given.rank != 2 else given.name
        width = math.prod(given.shape[1:])
        if sizes and int(sizes[position]) < width:
            ends = node.whole(int(sizes[position]), label="ends")
            part = node.add("Slice", part, node.whole(0, label="starts"), ends, node.whole(1, label="axes"))
        columns.append(part)
    node.result(0, node.add("Concat", *columns, axis=1))


def imputer(node: Writer) -> None:
    """Expands Imputer: other numbers replacing one that marks missing values.

    Takes X [N, C]; one number for all columns, or one for each.
    """
    kind = "int64s" if node.given(0).dtype == "int64" else "floats"
    dtype = "int64" if kind == "int64s" else "float32"
    missing = node.attribute(f"replaced_value_{kind[:-1]}", 0)
    others = node.constant(node.required(f"imputed_value_{kind}"), dtype, label="imputed")
    if dtype == "float32" and np.isnan(missing):
        where = node.add("IsNaN", node.x(0), label="missing")
    else:
        where = node.add("Equal", node.x(0), node.constant(missing, dtype, label="replaced"), label="missing")
    node.result(0, node.add("Where", where, others, node.x(0)))


def label_encoder(node: Writer) -> None:
    """Expands LabelEncoder: for each element the value of its key, numbers to numbers.

    Takes X of any shape; one that is no key becomes the default. Raises UnsupportedError for texts.
    """
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


def normalizer(node: Writer) -> None:
    """Expands Normalizer: each row by its largest element, its sum of absolute values, or root of its sum of squares.

    Takes X [N, C] or [C]. A row whose norm is 0 stays. Raises UnsupportedError for another norm.
    """
    kind = str(node.attribute("norm", "MAX"))
    if kind not in _NORMS:
        raise node.refusal(f"norm {', '.join(_NORMS)}", f"'{kind}'")
    x = as_float(node)
    norm = node.add(_NORMS[kind], x, node.whole(-1, label="axes"), label="norm")
    none = node.add("Equal", norm, node.constant(0.0, label="zero"))
    node.result(0, node.add("Div", x, node.add("Where", none, node.constant(1.0, label="one"), norm, label="divisor")))


def one_hot_encoder(node: Writer) -> None:
    """Expands OneHotEncoder: one for an element's category, zero for the others.

    Takes X of any shape, and adds an axis of categories; an element of no category has only zeros.
    """
    categories = node.constant(labels(node, "cats_int64s", "cats_strings"), label="categories")
    each = node.add("Unsqueeze", as_float(node), node.whole(-1, label="axes"), label="each")
    node.result(0, node.add("Cast", node.add("Equal", each, categories), to=TensorProto.FLOAT))


def scaler(node: Writer) -> None:
    """Expands Scaler: y = (x − offset) · scale, one of each per feature or one for all. Takes X […, features]."""
    offset, scale = numbers(node, "offset"), numbers(node, "scale")
    x = as_float(node)
    x = node.add("Sub", x, node.constant(offset, label="offset"), label="shifted") if offset.size else x
    node.result(0, node.add("Mul", x, node.constant(scale if scale.size else 1.0, label="scale")))


OPERATORS: Mapping[str, Write] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "FeatureVectorizer": feature_vectorizer,
    "Imputer": imputer,
    "LabelEncoder": label_encoder,
    "Normalizer": normalizer,
    "OneHotEncoder": one_hot_encoder,
    "Scaler": scaler,
}
