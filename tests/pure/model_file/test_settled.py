"""Settings that other nodes make are planned for as the values at hand have them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.pure.models import model, node
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.planning.planner import plan_graph

FLOAT, WHOLE = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64


def declared(name: str, element: int, *sizes: int | None) -> onnx.ValueInfoProto:
    return onnx.helper.make_tensor_value_info(name, element, sizes)


def counted() -> onnx.ModelProto:
    """y = x · (0, 1, … n − 1), n the largest of the lengths, which are an input."""
    nodes = [
        node("ReduceMax", "lengths", "n", keepdims=0),
        node("Cast", "n", "last", to=WHOLE),
        node("Range", "zero last one", "places"),
        node("Cast", "places", "floats", to=FLOAT),
        node("Mul", "x floats", "y"),
    ]
    scalars = {"zero": np.array(0), "one": np.array(1)}
    inputs = [declared("x", FLOAT, 4, 1), declared("lengths", WHOLE, 2)]
    return model(nodes, inputs, [declared("y", FLOAT, 4, None)], weights=scalars)


def recurrent() -> onnx.ModelProto:
    """A GRU over two sequences whose lengths are an input, plus one."""
    nodes = [node("Add", "given one", "lengths"), node("GRU", "x W R B lengths", "states", hidden_size=3)]
    weights = {
        "one": np.array([1], np.int32),
        "W": np.ones((1, 9, 2), np.float32),
        "R": np.ones((1, 9, 3), np.float32),
        "B": np.zeros((1, 18), np.float32),
    }
    inputs = [declared("x", FLOAT, 4, 2, 2), declared("given", onnx.TensorProto.INT32, 2)]
    return model(nodes, inputs, [declared("states", FLOAT, 4, 1, 2, 3)], weights=weights)


def test_a_shape_that_hangs_on_an_input_is_open_until_the_input_is_known() -> None:
    graph = graph_of(counted(), "net", {})
    assert "y" not in graph.tensors or plan_graph(graph).not_run
    assert graph.undecided == ("last",)


@pytest.mark.parametrize("count", [3, 5])
def test_it_is_what_the_input_makes_it(count: int) -> None:
    values = {"lengths": np.array([1, count]), "x": np.ones((4, 1), np.float32)}
    graph = graph_of(counted(), "net", {}, values)
    assert graph.tensors["y"].shape == (4, count)
    assert graph.undecided == ()
    assert graph.decided["last"] == count
    plan = plan_graph(graph)
    assert not plan.not_run
    assert plan.passes[-1].name == "y"


def test_what_other_nodes_make_of_a_setting_stays_theirs() -> None:
    values = {"lengths": np.array([1, 5]), "x": np.ones((4, 1), np.float32)}
    graph = graph_of(counted(), "net", {}, values)
    assert [each.op_type for each in graph.nodes][:2] == ["ReduceMax", "Cast"]
    assert "last" not in graph.constants


def test_lengths_of_sequences_are_taken_from_the_values() -> None:
    reason = plan_graph(graph_of(recurrent(), "net", {})).not_run[0].reason
    assert "expected lengths of sequences known before the run, got 'lengths'" in reason
    values = {"x": np.ones((4, 2, 2), np.float32), "given": np.array([3, 3], np.int32)}
    assert not plan_graph(graph_of(recurrent(), "net", {}, values)).not_run
