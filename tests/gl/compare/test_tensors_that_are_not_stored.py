"""A result of a fused run is judged from what was stored before it, in time that grows with the passes in between."""

from __future__ import annotations

import time

import moderngl
import numpy as np
import onnx
from onnx import TensorProto, helper

from texelscope import pipeline

LEVELS = 40


def model() -> onnx.ModelProto:
    """Returns a chain of y = max(x, 0) - x·x, whose every tensor two passes read: 2^40 ways lead through it."""
    nodes = []
    for i in range(LEVELS):
        x = f"x{i}" if i else "x"
        nodes += [
            helper.make_node("Relu", [x], [f"r{i}"], name=f"r{i}"),
            helper.make_node("Mul", [x, x], [f"s{i}"], name=f"s{i}"),
            helper.make_node("Sub", [f"r{i}", f"s{i}"], [f"x{i + 1}"], name=f"x{i + 1}"),
        ]
    graph = helper.make_graph(
        nodes,
        "ways",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (2, 8))],
        [helper.make_tensor_value_info(f"x{LEVELS}", TensorProto.FLOAT, None)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_a_result_behind_many_ways_is_judged_soon(gl: moderngl.Context) -> None:
    with pipeline.open(model(), context=gl) as session:
        session.set_input("x", np.random.default_rng(0).uniform(0.1, 0.4, size=(2, 8)).astype(np.float32))
        session.run_fused()
        begun = time.process_time()
        report = session.compare().find(f"x{LEVELS}")
        assert report is not None
        assert report.verdict == "match"
        assert time.process_time() - begun < 20
