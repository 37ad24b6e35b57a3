"""TreeEnsemble: what the leaves that a row falls into add up to, target by target."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.post_transform import transformed
from texelscope.pipeline.model_file.ml.trees import plain, sums

OPERATOR = "TreeEnsemble"
_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def write(node: Writer) -> None:
    """X [N, features] → [N, targets] of its type."""
    aggregate = _AGGREGATES[int(node.attribute("aggregate_function", 1))]
    found = sums(node, plain(node), int(node.required("n_targets")), aggregate, ())
    found = transformed(node, found, _TRANSFORMS[int(node.attribute("post_transform", 0))])
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(node.given(0).dtype))
    node.result(0, found if kind == TensorProto.FLOAT else node.add("Cast", found, to=kind))
