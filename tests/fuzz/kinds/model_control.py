"""Control flow and functions: endless loops, branches without an end, functions that call themselves, sequences."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.fuzz import commands, mutation, words
from tests.fuzz.case import Case


def case(random_: random.Random) -> Case:
    make = random_.choice((_loop, _loop, _nested_ifs, _scan, _functions, _sequence))
    data = make(random_).SerializeToString()
    if random_.random() < 0.3:
        data = mutation.of_bytes(data, random_)
    return Case(
        make.__name__.strip("_").replace("_", " "), {"model.onnx": data}, commands.on("case/model.onnx", random_)
    )


def _model(nodes: list[onnx.NodeProto], constants: list[onnx.TensorProto]) -> onnx.ModelProto:
    image = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 4, 4])
    graph = helper.make_graph(nodes, "flow", [image], [onnx.ValueInfoProto(name="y")], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def _loop(random_: random.Random) -> onnx.ModelProto:
    """Makes a loop of so many turns, or until a condition that never comes; its state may grow with each turn."""
    operator = random_.choice(("Relu", "Concat", "Add", "Exp"))
    inputs = ["v"] if operator in ("Relu", "Exp") else ["v", "v"]
    more: dict[str, Any] = {"axis": 0} if operator == "Concat" else {}
    body_nodes = [helper.make_node(operator, inputs, ["w"], **more), helper.make_node("Identity", ["c"], ["d"])]
    if random_.random() < 0.3:
        body_nodes.append(helper.make_node("Identity", ["v"], ["scan"]))
    ins = [
        helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("c",
        TensorProto.BOOL, []),
        helper.make_tensor_value_info("v", TensorProto.FLOAT, None),
    ]  # fmt: skip
    outs = [
        helper.make_tensor_value_info("d", TensorProto.BOOL, []),
        helper.make_tensor_value_info("w", TensorProto.FLOAT, None),
    ]
    names = ["y"]
    if len(body_nodes) == 3:
        outs.append(helper.make_tensor_value_info("scan", TensorProto.FLOAT, None))
        names.append("scanned")
    body = helper.make_graph(body_nodes, "body", ins, outs)
    turns = random_.choice((0, 3, 50, 10_000, 10**9, 2**62, -1))
    constants = [numpy_helper.from_array(np.array(turns, np.int64), "m"), numpy_helper.from_array(np.array(True), "go")]
    first = random_.choice(("m", ""))
    return _model([helper.make_node("Loop", [first, "go", "x"], names, body=body)], constants)


def _nested_ifs(random_: random.Random) -> onnx.ModelProto:
    depth = random_.choice((1, 5, 12, 29))  # protobuf reads a hundred messages in each other
    output = onnx.ValueInfoProto(name="out")
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["out"])], "leaf", [], [output])
    for number in range(depth):
        other = branch  # each twice, so that there are 2^n of them
        if number >= 4:
            other = helper.make_graph([helper.make_node("Neg", ["x"], ["out"])], "small", [], [output])
        node = helper.make_node("If", ["c"], ["out"], then_branch=branch, else_branch=other)
        branch = helper.make_graph([node], f"level{number}", [], [output])
    constants = [numpy_helper.from_array(np.array(random_.random() < 0.5), "c")]
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    return _model([node], constants)


def _scan(random_: random.Random) -> onnx.ModelProto:
    ins = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("s", "e")]
    outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("t", "o")]
    nodes = [helper.make_node("Add", ["s", "e"], ["t"]), helper.make_node("Identity", ["t"], ["o"])]
    body = helper.make_graph(nodes, "body", ins, outs)
    count = random_.choice((0, 1, 2, -1, words.whole(random_)))
    axes = [words.whole(random_)] if random_.random() < 0.3 else [random_.randrange(4)]
    node = helper.make_node("Scan", ["x", "x"], ["t1", "y"], body=body, num_scan_inputs=count, scan_input_axes=axes)
    return _model([node], [])


def _functions(random_: random.Random) -> onnx.ModelProto:
    """Functions that call each other: in a circle, or each twice, so that there are 2^n calls."""
    count = random_.choice((1, 3, 16, 40, 300))
    functions = []
    for number in range(count):
        called = f"f{number + 1}" if number + 1 < count else random_.choice(("f0", "Relu", "nowhere"))
        domain = "" if called == "Relu" else "own"
        twice = random_.random() < 0.8
        nodes = [helper.make_node(called, ["a"], ["b"], domain=domain)]
        if twice:
            nodes.append(helper.make_node(called, ["b"], ["c"], domain=domain))
        imports = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
        functions.append(helper.make_function("own", f"f{number}", ["a"], ["c" if twice else "b"], nodes, imports))
    model = _model([helper.make_node("f0", ["x"], ["y"], domain="own")], [])
    model.opset_import.append(helper.make_opsetid("own", 1))
    model.functions.extend(functions)
    return model


def _sequence(random_: random.Random) -> onnx.ModelProto:
    place = numpy_helper.from_array(np.array(random_.choice((0, 1, -5, 2**40)), np.int64), "p")
    nodes = [
        helper.make_node("SequenceConstruct", ["x"] * random_.choice((1, 3, 500)), ["s"]),
        random_.choice((
            helper.make_node("SequenceAt", ["s", "p"], ["y"]), helper.make_node("ConcatFromSequence", ["s"], ["y"],
            axis=0),
            helper.make_node("SequenceInsert", ["s", "x", "p"], ["y"]), helper.make_node("Optional", ["s"], ["y"]),
        )),
    ]  # fmt: skip
    return _model(nodes, [place])
