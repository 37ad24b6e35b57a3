"""The backward nodes by themselves, for whoever has the forward tensors already."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np

from tests.gl.operators.single_node import NodeCase
from texelscope.pipeline.gradients.reverse import BackwardGraph, backward_alone
from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle


def alone(op_type: str, *wrt: str) -> BackwardGraph:
    case = NodeCase(op_type, (np.ones((2, 3), np.float32), np.ones((2, 3), np.float32)))
    graph = load(case.model())
    of = graph.nodes[-1].outputs[0]
    seeded = {**graph.tensors, "arriving": TensorInfo("arriving", (2, 3))}
    graph = dataclasses.replace(graph, tensors=MappingProxyType(seeded))
    return backward_alone(graph, {of: "arriving"}, wrt)


def test_they_read_forward_tensors_and_what_arrives_and_make_what_is_asked_for() -> None:
    found = alone("Mul", "in1")
    assert found.graph is not None
    assert sorted(found.graph.inputs) == ["arriving", "in0"]
    assert found.graph.outputs == (found.gradients["in1"],)
    x, dy = np.full((2, 3), 3.0), np.full((2, 3), 2.0)
    made = GraphOracle(found.graph).values({"in0": x, "arriving": dy}, found.graph.outputs)
    np.testing.assert_array_equal(made[found.gradients["in1"]], x * dy)


def test_what_arrives_may_be_the_gradient_as_it_is() -> None:
    found = alone("Add", "in0", "in1")
    assert found.graph is None
    assert found.gradients == {"in0": "arriving", "in1": "arriving"}
