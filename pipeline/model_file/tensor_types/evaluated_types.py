"""Types of tensors that ONNX's inference does not tell: as the operator's module says, or from zeros.

Of an operator without a schema, or with one that tells no types, the node is evaluated on zeros.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import OWN_DOMAIN, Node, Shape, TensorInfo
from texelscope.pipeline.model_file.tensor_types.known_types import static_shape, type_of
from texelscope.pipeline.operators.families.registry import InferTypes, all_listed, definition_of, key_of
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import hold

# Operators whose old versions lack inference for some outputs. Others, mostly of opset 1, lack it for all.
_HALF_TOLD = frozenset({"BatchNormalization", "Dropout", "LSTM"})
# The most sizes that this input may contain: those of all dimensions of a tensor.
_MOST_SETTINGS = 64
# Bytes of the widest element type, and the number of copies that evaluation may hold at once.
_WIDEST_BYTES, _AT_TIMES = 8, 2
# The input that determines the output's shape, if ONNX's inference ignores it.
_DECISIVE = {"Compress": 1, "OneHot": 1, "MaxUnpool": 2, "Tile": 1}


def evaluated_types(
    node: Node,
    schema: onnx.defs.OpSchema | None,
    types: Mapping[str, onnx.TypeProto],
    constants: Mapping[str, NDArray[Any]],
    reference: Reference,
) -> Mapping[str, onnx.TypeProto]:
    """Types by output, if constants and the types of the inputs decide them.

    Raises TexelscopeError where the operator's module refuses the inputs.
    """
    listed = all_listed().get(key_of(node.op_type, node.domain)) if schema is None else None
    if listed is not None and listed.infer is not None:
        return _inferred(node, listed.infer, types)
    if not _is_decided(node, schema, constants):
        return {}
    if any(name and static_shape(types[name]) is None for name in node.inputs):
        return {}
    shapes = [static_shape(types[name]) or () if name else () for name in node.inputs]
    hold(f"{node.op_type} '{node.name}'", "memory_bytes", _most_bytes(node, shapes, constants), " to find its shape")
    values = [constants[name] if name in constants else zeros_of(types[name]) if name else None for name in node.inputs]
    try:
        results = reference.run_node(node, values)
    except TexelscopeError:
        return {}  # it does not run, and gives the reason
    return {name: type_of(value) for name, value in zip(node.outputs, results, strict=True) if value is not None}


def _inferred(node: Node, infer: InferTypes, types: Mapping[str, onnx.TypeProto]) -> Mapping[str, onnx.TypeProto]:
    """The types that the operator's module says; none while the shape of an input is not known."""
    infos = [_info(name, types[name]) if name else None for name in node.inputs]
    if any(name and info is None for name, info in zip(node.inputs, infos, strict=True)):
        return {}
    try:
        made = [
            helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), [int(i) for i in shape])
            for shape, dtype in infer(infos, node.attributes)
        ]
    except Exception as error:
        shown = ", ".join("-" if info is None else f"{info.dtype}{list(info.shape)}" for info in infos) or "none"
        raise TexelscopeError(
            f"{node.op_type} '{node.name}'", "inputs and attributes that fit the operator",
            f"{shown}: {said_by(error, with_type=True)}", "Check the exporting script.",
        ) from error  # fmt: skip
    return {name: kind for name, kind in zip(node.outputs, made, strict=False) if name}


def _info(name: str, kind: onnx.TypeProto) -> TensorInfo | None:
    shape = static_shape(kind)
    if shape is None:
        return None
    return TensorInfo(name, shape, np.dtype(helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type)).name)


def _most_bytes(node: Node, shapes: Sequence[Shape], constants: Mapping[str, NDArray[Any]]) -> int:
    """Estimates the most memory to evaluate a node: its inputs a few times, and its output if an input sets that."""
    sizes = [math.prod(shape) for shape in shapes]
    decisive = _DECISIVE.get(node.op_type, -1)
    setting = constants.get(node.inputs[decisive]) if 0 < decisive < len(node.inputs) else None
    count = sum(sizes)
    if setting is not None and node.op_type != "Compress":
        repeats = math.prod(abs(int(number)) for number in np.ravel(setting)[:_MOST_SETTINGS])
        count += repeats if node.op_type == "MaxUnpool" else repeats * sizes[0]
    return _AT_TIMES * _WIDEST_BYTES * count


def zeros_of(kind: onnx.TypeProto) -> NDArray[Any]:
    """Returns a tensor of that type, whose shape is static, without taking memory."""
    dtype = helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type)
    return np.broadcast_to(np.zeros((), dtype), static_shape(kind) or ())


def _is_decided(node: Node, schema: onnx.defs.OpSchema | None, constants: Mapping[str, NDArray[Any]]) -> bool:
    if schema is None:
        return node.domain == OWN_DOMAIN or definition_of(node) is not None
    decisive = _DECISIVE.get(node.op_type, -1)
    if 0 < decisive < len(node.inputs):
        return node.inputs[decisive] in constants
    return not node.domain and (node.op_type in _HALF_TOLD or not schema.has_type_and_shape_inference_function)
