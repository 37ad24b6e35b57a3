"""Models that ask for too much: long chains, wide nodes, many inputs, huge tensors, products that never end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.fuzz import commands
from tests.fuzz.case import Case

# Many of them take as long as they may.
SHARE = 1


def case(random_: random.Random) -> Case:
    make = random_.choice(SIZES)
    model = make(random_)
    what = make.__name__.strip("_").replace("_", " ")
    return Case(what, {"model.onnx": model.SerializeToString()}, commands.on("case/model.onnx", random_))


def model_of(
    nodes: list[onnx.NodeProto], inputs: list[onnx.ValueInfoProto], output: str, constants: list[onnx.TensorProto]
) -> onnx.ModelProto:
    """The model of a graph whose output has a type that nobody says."""
    graph = helper.make_graph(nodes, "large", inputs, [onnx.ValueInfoProto(name=output)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def _value(name: str, shape: list[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _long_chain(random_: random.Random) -> onnx.ModelProto:
    count, operator = random_.choice((300, 3000, 50_000, 120_000)), random_.choice(("Relu", "Identity", "Tanh", "Neg"))
    names = ["x", *(f"t{number}" for number in range(count))]
    nodes = [helper.make_node(operator, [names[at]], [names[at + 1]]) for at in range(count)]
    return model_of(nodes, [_value("x", [1, 2, 4, 4])], names[-1], [])


def _doubling(random_: random.Random) -> onnx.ModelProto:
    count, operator = random_.choice((20, 60, 300)), random_.choice(("Add", "Concat", "Mul"))
    more: dict[str, Any] = {"axis": 1} if operator == "Concat" else {}
    names = ["x", *(f"t{number}" for number in range(count))]
    nodes = [helper.make_node(operator, [names[at]] * 2, [names[at + 1]], **more) for at in range(count)]
    return model_of(nodes, [_value("x", [1, 2, 4, 4])], names[-1], [])


def _many_inputs(random_: random.Random) -> onnx.ModelProto:
    count = random_.choice((17, 100, 2000, 10_000))
    names = [f"x{number}" for number in range(count)]
    node = helper.make_node(random_.choice(("Sum", "Concat", "Max")), names, ["y"])
    if node.op_type == "Concat":
        node.attribute.append(helper.make_attribute("axis", 0))
    return model_of([node], [_value(name, [1, 2]) for name in names], "y", [])


def _huge_input(random_: random.Random) -> onnx.ModelProto:
    sides = random_.choice(
        ([1, 3, 20_000, 20_000], [1, 1, 2**31, 2], [1, 2**20, 2**20, 1], [2**62], [1, 1, 1, 10**9], [1, 64, 4096, 4096])
    )
    node = helper.make_node(
        random_.choice(("Relu", "GlobalAveragePool", "ReduceSum", "Softmax", "CumSum")), ["x"], ["y"]
    )
    return model_of([node], [_value("x", sides)], "y", [])


def _huge_product(random_: random.Random) -> onnx.ModelProto:
    side = random_.choice((3000, 8000, 20_000))
    nodes = [helper.make_node("MatMul", ["x", "x"], ["y"]), helper.make_node("MatMul", ["y", "x"], ["z"])]
    return model_of(nodes, [_value("x", [side, side])], "z", [])


def _expanded_constant(random_: random.Random) -> onnx.ModelProto:
    sizes = random_.choice(([1 << 16, 1 << 16], [1, 1 << 30], [1 << 40], [30_000, 30_000], [1] * 70, [2] * 63))
    constants = [
        numpy_helper.from_array(np.array(sizes, np.int64), "s"),
        numpy_helper.from_array(np.array(1.5, np.float32), "one"),
    ]
    operator = random_.choice(("Expand", "ConstantOfShape", "Tile", "RandomNormalLike"))
    inputs = ["s"] if operator == "ConstantOfShape" else ["one", "s"] if operator != "RandomNormalLike" else ["one"]
    nodes = [helper.make_node(operator, inputs, ["y"]), helper.make_node("Add", ["y", "x"], ["z"])]
    return model_of(nodes, [_value("x", [1])], "z", constants)


def _range_of_all(random_: random.Random) -> onnx.ModelProto:
    ends = [0, random_.choice((10**6, 10**9, 10**12, 2**62)), random_.choice((1, 0, -1))]
    constants = [
        numpy_helper.from_array(np.array(value, np.int64), name) for name, value in zip("abc", ends, strict=True)
    ]
    nodes = [
        helper.make_node("Range", ["a", "b", "c"], ["r"]), helper.make_node("Cast", ["r"], ["f"], to=1),
        helper.make_node("Add", ["f", "x"], ["y"]),
    ]  # fmt: skip
    return model_of(nodes, [_value("x", [1])], "y", constants)


def _huge_windows(random_: random.Random) -> onnx.ModelProto:
    side = random_.choice((200, 1000, 5000))
    operator = random_.choice(("MaxPool", "AveragePool", "LpPool"))
    node = helper.make_node(operator, ["x"], ["y"], kernel_shape=[side, side], pads=[side // 2] * 4)
    return model_of([node], [_value("x", [1, 4, side, side])], "y", [])


def _huge_convolution(random_: random.Random) -> onnx.ModelProto:
    pads, dilation = random_.choice((0, 1, 5000, 2**30)), random_.choice((1, 1000, 2**31))
    weight = numpy_helper.from_array(np.ones((8, 3, 7, 7), np.float32), "w")
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[pads] * 4, dilations=[dilation] * 2)
    return model_of([node], [_value("x", [1, 3, 512, 512])], "y", [weight])


def _resized(random_: random.Random) -> onnx.ModelProto:
    scale = random_.choice((1e-9, 0.0, -1.0, 300.0, 30_000.0, float("inf"), float("nan")))
    constant = numpy_helper.from_array(np.array([1, 1, scale, scale], np.float32), "s")
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode=random_.choice(("nearest", "linear", "cubic")))
    return model_of([node], [_value("x", [1, 3, 16, 16])], "y", [constant])


def _many_outputs(random_: random.Random) -> onnx.ModelProto:
    count = random_.choice((20, 500, 5000))
    names = [f"y{number}" for number in range(count)]
    node = helper.make_node("Split", ["x"], names, axis=1, num_outputs=count)
    return model_of([node], [_value("x", [1, count, 2])], names[-1], [])


def _einsum(random_: random.Random) -> onnx.ModelProto:
    letters = "abcdefghijklmnopqrstuvwxyz"[: random_.choice((5, 12, 26))]
    equation = random_.choice(
        (f"{letters},{letters}->{letters}", ",".join(letters) + "->", ",".join(letters) + "->" + letters)
    )
    count = equation.count(",") + 1
    rank = len(letters) if count == 2 else 1
    node = helper.make_node("Einsum", ["x"] * count, ["y"], equation=equation)
    return model_of([node], [_value("x", [random_.choice((2, 3, 8))] * rank)], "y", [])


SIZES: tuple[Callable[[random.Random], onnx.ModelProto], ...] = (
    _long_chain, _doubling, _many_inputs, _huge_input, _huge_product, _expanded_constant, _range_of_all, _huge_windows,
    _huge_convolution, _resized, _many_outputs, _einsum,
)  # fmt: skip
