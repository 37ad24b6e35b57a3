"""A network of many passes whose names have scopes: `stage1/block2/shift`."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPERATORS = ("act", "scale", "squash", "shift", "join")


def scoped_network(stages: int = 6, blocks: int = 20) -> onnx.ModelProto:
    """Returns `x` [1, 4, 8, 8] → stages of blocks of five passes, the last of which adds the block's input → `y`.

    The names of nodes are those of passes: 600 of them by default.
    """
    shape = [1, 4, 8, 8]
    weights = {"half": np.full((1,), 0.5, np.float32), "tenth": np.full((1,), 0.1, np.float32)}
    nodes, before = [], "x"
    for stage in range(1, stages + 1):
        for block in range(1, blocks + 1):
            scope = f"stage{stage}/block{block}"
            act, scale, squash, shift, join = (f"{scope}/{each}" for each in OPERATORS)
            nodes += [
                helper.make_node("Relu", [before], [act], name=act),
                helper.make_node("Mul", [act, "half"], [scale], name=scale),
                helper.make_node("Tanh", [scale], [squash], name=squash),
                helper.make_node("Add", [squash, "tenth"], [shift], name=shift),
                helper.make_node("Add", [shift, before], [join], name=join),
            ]
            before = join
    nodes[-1].output[0] = "y"
    graph = helper.make_graph(
        nodes,
        "scoped_network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
