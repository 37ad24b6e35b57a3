"""Models of a few nodes, for tests that need one but not its size."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def one_convolution(side: int = 8) -> onnx.ModelProto:
    """`image` [1, 3, side, side] → Conv `conv1` [1, 4, side, side] → Relu `relu1`, with seeded weights."""
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


def recurrent() -> onnx.ModelProto:
    """`x` [5, 2, 4] → Relu `before` → LSTM `lstm`, which no shader runs → Relu `after` → Sigmoid `last`."""
    random = np.random.default_rng(2)
    weights = {"w": random.standard_normal((1, 12, 4), np.float32), "r": random.standard_normal((1, 12, 3), np.float32)}
    nodes = [
        helper.make_node("Relu", ["x"], ["before"], name="before"),
        helper.make_node("LSTM", ["before", "w", "r"], ["states"], name="lstm", hidden_size=3),
        helper.make_node("Relu", ["states"], ["after"], name="after"),
        helper.make_node("Sigmoid", ["after"], ["last"], name="last"),
    ]
    graph = helper.make_graph(
        nodes,
        "recurrent",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [5, 2, 4])],
        [helper.make_tensor_value_info("last", TensorProto.FLOAT, [5, 1, 2, 3])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
