"""Types of tensors that ONNX's inference does not tell, from evaluating their node on zeros."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import OWN_DOMAIN, Node, Shape
from texelscope.pipeline.model_file.tensor_types.known_types import static_shape, type_of
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import hold

# Operators of some of whose outputs old versions say nothing. Others, of opset 1 most of them, tell of none at all.
_HALF_TOLD = frozenset({"BatchNormalization", "Dropout", "LSTM"})
# Sizes that such an input may tell at most: those of all dimensions of a tensor.
_MOST_SETTINGS = 64
# Bytes of the widest element type, and how often evaluation holds its tensors at times.
_WIDEST_BYTES, _AT_TIMES = 8, 2
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
    shapes = [static_shape(types[name]) or () if name else () for name in node.inputs]
    hold(f"{node.op_type} '{node.name}'", "memory_bytes", _most_bytes(node, shapes, constants), " to tell its shape")
    values = [constants[name] if name in constants else zeros_of(types[name]) if name else None for name in node.inputs]
    try:
        results = reference.run_node(node, values)
    except TexelscopeError:
        return {}  # it is not run, and says why
    return {name: type_of(value) for name, value in zip(node.outputs, results, strict=True) if value is not None}


def _most_bytes(node: Node, shapes: Sequence[Shape], constants: Mapping[str, NDArray[Any]]) -> int:
    """About what evaluating a node takes at most: its inputs a few times, and what an input says of its output."""
    sizes = [math.prod(shape) for shape in shapes]
    decisive = _DECISIVE.get(node.op_type, -1)
    setting = constants.get(node.inputs[decisive]) if 0 < decisive < len(node.inputs) else None
    count = sum(sizes)
    if setting is not None and node.op_type != "Compress":
        repeats = math.prod(abs(int(number)) for number in np.ravel(setting)[:_MOST_SETTINGS])
        count += repeats if node.op_type == "MaxUnpool" else repeats * sizes[0]
    return _AT_TIMES * _WIDEST_BYTES * count


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
