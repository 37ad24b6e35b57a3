"""What the oracle does not evaluate, or not as the graph says: told of the tensor, and the others have their values."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

from tests.pure.model_file.test_asked_for import loop
from tests.pure.models import model, node, value
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.quotas import Quotas, allowing

X = {"x": np.ones((1, 3, 8, 8), np.float32)}


def test_a_loop_beyond_its_limit_is_not_evaluated_either() -> None:
    with allowing(Quotas(loop_nodes=5)):
        oracle, gaps = GraphOracle(graph_of(loop(nodes=True), "net", {})), dict[str, str]()
    assert set(oracle.chained(X, gaps=gaps)) == {"x"}
    assert "expected at most 5 loop nodes, got more of all turns" in gaps["y"]


def test_a_value_of_another_size_than_the_model_says_is_no_value() -> None:
    made = model([node("HardSwish", "x", "t")], [value("x", [1])], [value("t", [8, 1, 1, 2])])
    made.opset_import[0].CopyFrom(helper.make_opsetid("", 11))  # before there was one: the shape is the model's word
    oracle, gaps = GraphOracle(graph_of(made, "net", {})), dict[str, str]()
    given = {"x": np.ones(1, np.float32)}
    assert set(oracle.chained(given, gaps=gaps)) == {"x"}
    message = (
        r"HardSwish 't' \(net\): expected an output of shape \[8, 1, 1, 2\], as the model has it, got \[1\] by its"
    )
    with pytest.raises(TexelscopeError, match=message):
        oracle.isolated(given, "t")


def test_a_window_far_wider_than_its_tensor_takes_no_turn_for_each_place() -> None:
    graph = graph_of(model([node("LRN", "x", "y", size=2**31 - 1)]), "net", {})
    gaps: dict[str, str] = {}
    found = GraphOracle(graph).chained(X, gaps=gaps)["y"]
    assert gaps == {}
    np.testing.assert_allclose(found.value, X["x"] / (1 + 1e-4 * 3 / (2**31 - 1)) ** 0.75)
    assert found.bound is not None
