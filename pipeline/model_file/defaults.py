"""What ONNX's schemas say of an attribute that a model leaves out."""

from __future__ import annotations

import numpy as np
from onnx import AttributeProto, defs

from texelscope.pipeline.graph import Node


def default_number(node: Node, name: str) -> float | None:
    """The number attribute's default in the node's opset; None where ONNX has no such operator, attribute or default.

    As it is written: 0.01, not the float32 next to it.
    """
    if not defs.has(node.op_type, node.opset, node.domain):
        return None
    attribute = defs.get_schema(node.op_type, node.opset, node.domain).attributes.get(name)
    if attribute is None or attribute.default_value.type != AttributeProto.FLOAT:
        return None
    return float(str(np.float32(attribute.default_value.f)))
