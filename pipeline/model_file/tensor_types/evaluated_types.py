"""Types of tensors that ONNX's inference does not tell, from evaluating their node on zeros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from pipeline.errors import TexelscopeError
from pipeline.graph import OWN_DOMAIN, Node
from pipeline.model_file.tensor_types.known_types import static_shape, type_of
from pipeline.oracle.reference import Reference

# Operators of some of whose outputs old versions say nothing. Others, of opset 1 most of them, tell of none at all.
_HALF_TOLD = frozenset({"BatchNormalization", "Dropout", "LSTM"})
# The input that decides the output's shape where ONNX's inference does not look at it.
_DECISIVE = {"Compress": 1, "OneHot": 1, "MaxUnpool": 2, "Tile": 1}


def evaluated_types(
    node: Node,
    schema: onnx.defs.OpSchema | None,
    types: Mapping[str, onnx.TypeProto],
    constants: Mapping[str, NDArray[Any]],
    reference: Reference,
) -> Mapping[str, onnx.TypeProto]:
    """Types by output, of what the node makes of zeros, if constants and the shapes of its inputs decide them."""
    if not _is_decided(node, schema, constants):
        return {}
    if any(name and static_shape(types[name]) is None for name in node.inputs):
        return {}
    values = [constants[name] if name in constants else zeros_of(types[name]) if name else None for name in node.inputs]
    try:
        results = reference.run_node(node, values)
    except TexelscopeError:
        return {}  # it is not run, and says why
    return {name: type_of(value) for name, value in zip(node.outputs, results, strict=True) if value is not None}


def zeros_of(kind: onnx.TypeProto) -> NDArray[Any]:
    """A tensor of that type, whose shape is static; it takes no memory."""
    dtype = helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type)
    return np.broadcast_to(np.zeros((), dtype), static_shape(kind) or ())


def _is_decided(node: Node, schema: onnx.defs.OpSchema | None, constants: Mapping[str, NDArray[Any]]) -> bool:
    if schema is None:
        return node.domain == OWN_DOMAIN
    decisive = _DECISIVE.get(node.op_type, -1)
    if 0 < decisive < len(node.inputs):
        return node.inputs[decisive] in constants
    return not node.domain and (node.op_type in _HALF_TOLD or not schema.has_type_and_shape_inference_function)
