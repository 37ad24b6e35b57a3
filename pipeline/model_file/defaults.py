"""Looks up ONNX's defaults for attributes that a model leaves out."""

from __future__ import annotations

import numpy as np
from onnx import AttributeProto, defs

from texelscope.pipeline.graph import Node


def default_number(node: Node, name: str) -> float | None:
    """Returns the number attribute's default in the node's opset; None without this operator, attribute or default.

    The result is the decimal number: 0.01, not the float32 next to it.
    """
    if not defs.has(node.op_type, node.opset, node.domain):
        return None
    attribute = defs.get_schema(node.op_type, node.opset, node.domain).attributes.get(name)
    if attribute is None or attribute.default_value.type != AttributeProto.FLOAT:
        return None
    return float(str(np.float32(attribute.default_value.f)))
