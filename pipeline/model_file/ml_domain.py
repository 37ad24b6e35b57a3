"""Operators of ONNX's second domain, ai.onnx.ml, in terms of those of the first: those that are about tensors alone."""

from __future__ import annotations

import onnx
from onnx import helper

DOMAIN = "ai.onnx.ml"
# The opset that the plain operators are meant in.
OPSET = 18


def in_plain_operators(node: onnx.NodeProto, element: int, name: str) -> tuple[onnx.NodeProto, ...]:
    """The nodes that stand for `node`, whose defaults are filled in; none if it is not among those that can be said.

    `element` is the element type of the first input, as a number of ONNX. Tensors that they make on the way are called
    after `name`.
    """
    if node.op_type == "Binarizer" and element == onnx.TensorProto.FLOAT:  # y = 1 where x > threshold, else 0
        threshold = next(attribute.f for attribute in node.attribute if attribute.name == "threshold")
        above, limit = f"{name}/above", f"{name}/threshold"
        return (
            helper.make_node("Constant", [], [limit], name=limit, value_float=threshold),
            helper.make_node("Greater", [node.input[0], limit], [above], name=above),
            helper.make_node("Cast", [above], node.output, name=name, to=onnx.TensorProto.FLOAT),
        )
    if node.op_type == "ArrayFeatureExtractor":  # y[…, j] = x[…, index[j]]
        flat, shape = f"{name}/index", f"{name}/index/shape"
        return (
            helper.make_node("Constant", [], [shape], name=shape, value_ints=[-1]),
            helper.make_node("Reshape", [node.input[1], shape], [flat], name=flat),
            helper.make_node("Gather", [node.input[0], flat], node.output, name=name, axis=-1),
        )
    return ()
