"""A node as ONNX has it: its message, with the attributes that its opset knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, defs, helper

from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.old_opsets import obsolete_attributes


def node_message(node: Node, inputs: Sequence[str], outputs: Sequence[str]) -> NodeProto:
    """The node as ONNX has it, over tensors of those names; attributes that its opset no longer knows are left out."""
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
    """Attribute types by the schema: a float given as 1, or an empty list, says nothing of its type itself."""
    if not defs.has(node.op_type, node.opset, node.domain):
        return {}
    schema = defs.get_schema(node.op_type, node.opset, node.domain)
    # The stub hides that the type is an enum.
    return {name: attribute.type.value for name, attribute in schema.attributes.items()}  # type: ignore[attr-defined]
