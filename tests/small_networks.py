"""Builds small networks to train, and computes them in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.float32]


def perceptron(sizes: Sequence[int], rows: int, seed: int = 0) -> onnx.ModelProto:
    """Linear layers of those sizes, weights `0.weight` [out, in], `0.bias`, `1.weight` …, with Relu between them."""
    random = np.random.default_rng(seed)
    nodes, weights, x = [], [], "x"
    for number, (before, after) in enumerate(pairwise(sizes)):
        is_last = number == len(sizes) - 2
        bound = before**-0.5
        names = (f"{number}.weight", f"{number}.bias")
        for name, shape in zip(names, ((after, before), (after,)), strict=True):
            value = random.uniform(-bound, bound, shape).astype(np.float32)
            weights.append(numpy_helper.from_array(value, name))
        y = "y" if is_last else f"h{number}"
        nodes.append(helper.make_node("Gemm", [x, *names], [y], f"linear{number}", transB=1))
        if not is_last:
            nodes.append(helper.make_node("Relu", [y], [f"a{number}"], f"relu{number}"))
            x = f"a{number}"
    graph = helper.make_graph(
        nodes,
        "perceptron",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, sizes[0]])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, sizes[-1]])],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def weights_of(model: onnx.ModelProto) -> dict[str, NDArray[np.float64]]:
    """Returns the initializers, in double."""
    return {each.name: numpy_helper.to_array(each).astype(np.float64) for each in model.graph.initializer}
