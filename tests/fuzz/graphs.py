"""Random graphs of ONNX, right as far as they go: each node takes what an earlier one made."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_UNARY = (
    "Relu", "Sigmoid", "Tanh", "Exp", "Log", "Sqrt", "Abs", "Neg", "Floor", "Ceil", "Softplus", "Softsign", "Erf",
    "Sin",
    "Identity", "HardSwish", "Mish", "Gelu", "Reciprocal", "Sign", "IsNaN", "Not", "Det", "Shape", "Size", "NonZero",
    "GlobalAveragePool", "GlobalMaxPool", "Dropout", "HardSigmoid", "Elu", "Selu", "ThresholdedRelu",
)  # fmt: skip
_BINARY = (
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Pow",
    "Max",
    "Min",
    "Equal",
    "Less",
    "And",
    "MatMul",
    "PRelu",
    "Mod",
    "BitShift",
)
# So often a graph is looked for with which nothing is wrong.
_RIGHT_SHARE, _TRIES = 0.85, 30
_DIMENSIONS = (1, 1, 2, 3, 4, 5, 8)


def shape(random_: random.Random) -> list[int]:
    """Draws up to five small dimensions, mostly four."""
    rank = random_.choice((4, 4, 4, 4, 0, 1, 2, 3, 5))
    return [random_.choice(_DIMENSIONS) for _ in range(rank)]


def node(random_: random.Random, known: list[str], number: int) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    """A node over known tensors, with the constants that it needs."""
    made, first = f"t{number}", random_.choice(known)
    constants: list[onnx.TensorProto] = []

    def constant(values: Any, name: str) -> str:
        constants.append(numpy_helper.from_array(np.asarray(values), f"{made}_{name}{len(constants)}"))
        return constants[-1].name

    kind = random_.randrange(14)
    if kind < 4:
        return helper.make_node(random_.choice(_UNARY), [first], [made], name=f"n{number}"), constants
    if kind < 6:
        return helper.make_node(
            random_.choice(_BINARY), [first, random_.choice(known)], [made], name=f"n{number}"
        ), constants
    noise = np.random.default_rng(number)
    side, out = random_.choice((1, 2, 3)), random_.choice((1, 2, 4))
    weights = noise.standard_normal((out, random_.choice((1, 2, 3)), side, side)).astype(np.float32)
    axes = np.array([random_.choice((-1, 0, 1, 2, 3))], dtype=np.int64)
    sizes = np.array([random_.choice((-1, 0, 1, 2, 4)) for _ in range(random_.choice((1, 2, 4)))], dtype=np.int64)
    operator, inputs, attributes = random_.choice((
        ("Conv", [first, constant(weights, "w")], {"pads": [1] * 4, "strides": [random_.choice((1, 2))] * 2}),
        ("ConvTranspose", [first, constant(weights, "w")], {"strides": [2, 2]}),
        ("MaxPool", [first], {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ("AveragePool", [first], {"kernel_shape": [3, 3], "pads": [1] * 4}),
        ("Concat", [first, random_.choice(known)], {"axis": random_.choice((-1, 0, 1, 2, 3))}),
        ("Transpose", [first], {"perm": random_.sample(range(4), 4)}),
        ("Reshape", [first, constant(sizes, "s")], {}),
        ("Softmax", [first], {"axis": int(axes[0])}),
        ("ReduceSum", [first, constant(axes, "a")], {"keepdims": random_.choice((0, 1))}),
        ("Squeeze", [first, constant(axes, "a")], {}),
        ("Unsqueeze", [first, constant(axes, "a")], {}),
        ("Gather", [first, constant(sizes, "i")], {"axis": 0}),
        ("Expand", [first, constant(np.abs(sizes) + 1, "s")], {}),
        ("Tile", [first, constant(np.abs(sizes), "r")], {}),
        ("Slice", [first, constant(axes * 0, "b"), constant(axes * 0 + 2, "e")], {}),
        ("Pad", [first, constant(np.array([0, 0, 1, 1] * 2), "p")], {"mode": random_.choice(("constant", "edge",
        "reflect"))}),
        ("Resize", [first, "", constant(np.array([1, 1, 2, 2], np.float32), "f")], {"mode": random_.choice(("nearest",
        "linear"))}),
        ("Cast", [first], {"to": random_.choice((1, 6, 7, 9, 10, 11, 8, 16, 99))}),
        ("ConstantOfShape", [constant(np.abs(sizes), "s")], {}),
        ("TopK", [first, constant(axes * 0 + 1, "k")], {}),
        ("Einsum", [first], {"equation": random_.choice(("...i->...", "ij,ji->", "abcd->dcba", "i->ii"))}),
        ("DepthToSpace", [first], {"blocksize": random_.choice((1, 2, 3))}),
        ("LayerNormalization", [first, constant(weights[0, 0, 0], "g")], {"axis": -1}),
        ("BatchNormalization", [first, *(constant(np.ones(3, np.float32), key) for key in "abcd")], {}),
        ("LSTM", [first, constant(weights, "w"), constant(weights, "r")], {"hidden_size": 2}),
        ("Clip", [first, constant(np.float32(0), "l"), constant(np.float32(1), "h")], {}),
        ("CumSum", [first, constant(axes[0], "a")], {}),
        ("Split", [first], {"num_outputs": 1, "axis": 0}),
    ))  # fmt: skip
    return helper.make_node(operator, inputs, [made], name=f"n{number}", **attributes), constants


def graph(random_: random.Random) -> onnx.ModelProto:
    """A model of one to twelve nodes; mostly one that ONNX finds nothing wrong with."""
    made = _any_graph(random_)
    for _ in range(_TRIES if random_.random() < _RIGHT_SHARE else 0):
        try:
            onnx.shape_inference.infer_shapes(made, check_type=True, strict_mode=True)
        except Exception:  # noqa: BLE001 - of several libraries
            made = _any_graph(random_)
        else:
            break
    return made


def _any_graph(random_: random.Random) -> onnx.ModelProto:
    known = [f"x{number}" for number in range(random_.choice((1, 1, 1, 2)))]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape(random_)) for name in known]
    nodes, constants = [], []
    for number in range(random_.choice((1, 1, 2, 3, 5, 12))):
        made, needed = node(random_, known, number)
        nodes.append(made)
        constants += needed
        known.append(made.output[0])
    used = {name for each in nodes for name in each.input}
    constants = [each for each in constants if each.name in used]
    output = onnx.ValueInfoProto(name=known[-1])
    if random_.random() < 0.3:
        output = helper.make_tensor_value_info(known[-1], TensorProto.FLOAT, shape(random_))
    made_graph = helper.make_graph(nodes, "graph", inputs, [output], constants)
    opset = random_.choice((17, 18, 20, 21, 21, 11, 7))
    return helper.make_model(made_graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
