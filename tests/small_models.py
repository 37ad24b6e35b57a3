"""Models of a few nodes, for tests that need one but not its size."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def one_convolution(side: int = 8) -> onnx.ModelProto:
    """Returns `image` [1, 3, side, side] → Conv `conv1` [1, 4, side, side] → Relu `relu1`, with seeded weights."""
    random = np.random.default_rng(1)
    weight = random.standard_normal((4, 3, 3, 3), dtype=np.float32)
    bias = random.standard_normal(4, dtype=np.float32)
    conv = helper.make_node("Conv", ["image", "conv1.weight", "conv1.bias"], ["conv1"], name="conv1", pads=[1, 1, 1, 1])
    relu = helper.make_node("Relu", ["conv1"], ["relu1"], name="relu1")
    graph = helper.make_graph(
        [conv, relu],
        "one_convolution",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, side, side])],
        [helper.make_tensor_value_info("relu1", TensorProto.FLOAT, [1, 4, side, side])],
        [numpy_helper.from_array(weight, "conv1.weight"), numpy_helper.from_array(bias, "conv1.bias")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def two_layers() -> onnx.ModelProto:
    """Builds `x` [3, 5] → Gemm `first` → Relu `rectified` → Gemm `second` → `y` [3, 2], weights `w1` `b1` `w2` `b2`."""
    random = np.random.default_rng(2)
    weights = {"w1": (5, 7), "b1": (7,), "w2": (7, 2), "b2": (2,)}
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["first"], name="first"),
        helper.make_node("Relu", ["first"], ["rectified"], name="rectified"),
        helper.make_node("Gemm", ["rectified", "w2", "b2"], ["y"], name="second"),
    ]
    graph = helper.make_graph(
        nodes,
        "two_layers",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 5])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [3, 2])],
        [
            numpy_helper.from_array(random.standard_normal(shape, dtype=np.float32), name)
            for name, shape in weights.items()
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def large_determinants() -> onnx.ModelProto:
    """`x` [5, 2, 9, 9] → Relu `before` → Det `det`, which no shader runs → Tanh `after` → Sigmoid `last` [5, 2]."""
    nodes = [
        helper.make_node("Relu", ["x"], ["before"], name="before"),
        helper.make_node("Det", ["before"], ["determinants"], name="det"),
        helper.make_node("Tanh", ["determinants"], ["after"], name="after"),
        helper.make_node("Sigmoid", ["after"], ["last"], name="last"),
    ]
    graph = helper.make_graph(
        nodes,
        "large_determinants",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [5, 2, 9, 9])],
        [helper.make_tensor_value_info("last", TensorProto.FLOAT, [5, 2])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def mysterious() -> onnx.ModelProto:
    """Returns x → Relu → an operator of somebody's own → Softplus → Flatten → Abs, without a shape but x's."""
    nodes = [
        helper.make_node("Relu", ["x"], ["h"], name="before"),
        helper.make_node("Mystery", ["h"], ["a"], name="odd", domain="some.where"),
        helper.make_node("Softplus", ["a"], ["b"], name="soft"),
        helper.make_node("Flatten", ["b"], ["c"], name="flat"),
        helper.make_node("Abs", ["c"], ["y"], name="last"),
    ]
    inputs = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (5, 2, 9, 9))]
    graph = helper.make_graph(nodes, "mysterious", inputs, [onnx.helper.make_empty_tensor_value_info("y")])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("some.where", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)
