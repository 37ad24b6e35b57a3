"""Makes a node's ONNX message, with the attributes that its opset has, and translates from opsets before 7.

onnx.reference implements the later meaning alone. Before opset 7 binary operators broadcast only with `broadcast`, and
then align the second operand with the first at `axis`; slopes of PRelu are those of channels. `consumed_inputs`, a hint
about memory in opset 1, never changed a result; `output_sequence` of recurrent operators repeats what a missing output
says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, defs, helper

from texelscope.pipeline.arithmetic.invocation import Array
from texelscope.pipeline.graph import Node

_RECURRENT = frozenset(("GRU", "LSTM", "RNN"))
_BINARY = frozenset(("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor"))


def is_old_binary(node: Node) -> bool:
    """Whether `node` is a binary operator that broadcasts in the old way."""
    return not node.domain and node.opset < 7 and node.op_type in _BINARY


def modern_name(node: Node) -> str:
    """Returns the operator's name in the evaluator."""
    return "ScatterElements" if not node.domain and node.op_type == "Scatter" else node.op_type


def obsolete_attributes(node: Node) -> frozenset[str]:
    """Returns the attributes that the evaluator must not see."""
    if is_old_binary(node):
        return frozenset(("axis", "broadcast", "consumed_inputs"))
    if node.op_type in _RECURRENT:
        return frozenset(("output_sequence",))
    # There it is required, though as meaningless.
    return frozenset() if node.op_type == "BatchNormalization" else frozenset(("consumed_inputs",))


def lined_up(node: Node, inputs: Sequence[Array | None]) -> Sequence[Array | None]:
    """Returns the inputs, the second with trailing axes of 1 that align it at `axis` under today's broadcasting.

    Without `axis` the last axes are aligned, as today.
    """
    axis = _axis(node)
    if axis is None:
        return inputs
    first, second = inputs
    if first is None or second is None or second.size == 1:
        return inputs
    trailing = first.ndim - axis % first.ndim - second.ndim
    return first, second.reshape(*second.shape, *(1,) * max(0, trailing))


def _axis(node: Node) -> int | None:
    if not node.domain and node.op_type == "PRelu" and node.opset < 7:
        return 1
    return node.attributes.get("axis") if is_old_binary(node) and node.attributes.get("broadcast") else None


def node_message(node: Node, inputs: Sequence[str], outputs: Sequence[str]) -> NodeProto:
    """Returns the node's message, over tensors of those names; attributes that its opset no longer has are left out."""
    proto = NodeProto(op_type=node.op_type, domain=node.domain, name=node.name, input=inputs, output=outputs)
    types = _attribute_types(node)
    obsolete = obsolete_attributes(node)
    for name, value in node.attributes.items():
        if node.op_type == "Cast" and name == "to" and isinstance(value, str):  # before opset 6
            proto.attribute.append(helper.make_attribute(name, onnx.TensorProto.DataType.Value(value.upper())))
        elif name not in obsolete:
            proto.attribute.append(_attribute(name, value, types.get(name)))
    return proto


def _attribute(name: str, value: Any, kind: int | None) -> onnx.AttributeProto:
    if isinstance(value, np.ndarray):
        if kind in (None, onnx.AttributeProto.TENSOR):
            return helper.make_attribute(name, onnx.numpy_helper.from_array(value))
        value = value.tolist()
    if kind == onnx.AttributeProto.FLOAT:
        value = float(value)
    return helper.make_attribute(name, value, attr_type=kind)


def _attribute_types(node: Node) -> dict[str, int]:
    """Returns attribute types by the schema: a float given as 1, or an empty list, does not show its type."""
    if not defs.has(node.op_type, node.opset, node.domain):
        return {}
    schema = defs.get_schema(node.op_type, node.opset, node.domain)
    # The stub hides that the type is an enum.
    return {name: attribute.type.value for name, attribute in schema.attributes.items()}  # type: ignore[attr-defined]
