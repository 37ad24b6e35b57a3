"""Counts the products that a model sums in one run, those with zeros of padding counted in."""

from __future__ import annotations

import math

import onnx
from onnx import shape_inference


def macs(model: onnx.ModelProto) -> int:
    """Counts what convolutions and matrix products sum; the other operators count nothing."""
    graph = shape_inference.infer_shapes(model).graph
    known = (*graph.input, *graph.output, *graph.value_info)
    shapes = {each.name: [size.dim_value for size in each.type.tensor_type.shape.dim] for each in known}
    shapes |= {each.name: list(each.dims) for each in graph.initializer}
    return sum(_of_node(node, shapes) for node in graph.node)


def _of_node(node: onnx.NodeProto, shapes: dict[str, list[int]]) -> int:
    match node.op_type:
        case "Conv" | "ConvTranspose":
            # A kernel at every place of the output, of a transposed convolution at every place of the input. The
            # kernel's second size is that of one group alone.
            places = shapes[node.output[0] if node.op_type == "Conv" else node.input[0]]
            return math.prod(places[2:]) * math.prod(shapes[node.input[1]])
        case "MatMul":
            return math.prod(shapes[node.output[0]]) * shapes[node.input[0]][-1]
        case "Gemm":
            is_turned = any(each.name == "transA" and each.i for each in node.attribute)
            return math.prod(shapes[node.output[0]]) * shapes[node.input[0]][0 if is_turned else 1]
        case _:
            return 0
