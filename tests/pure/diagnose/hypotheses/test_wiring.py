"""Tests the inputs of a pass's nodes: the other part, one cut elsewhere, an operand forgotten, a number before it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.fault_models.layer_parts import with_attributes
from texelscope.pipeline.diagnose.fault_models.reductions import windows
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.model_edits import node_as
from texelscope.pipeline.graph import Graph, Node, TensorInfo

GIVEN = np.random.default_rng(8).standard_normal((2, 8, 3, 3)).astype(np.float32)
A, B = GIVEN[:, :4], GIVEN[:, 4:]
CUT = Node("cut", "Split", ("x",), ("a", "b"), MappingProxyType({"axis": 1, "num_outputs": 2}), opset=20)
SHARE = Node("share", "Sigmoid", ("b",), ("s",), opset=20)
PART = (2, 4, 3, 3)


def model(
    *nodes: Node,
    shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    constants: Mapping[str, Array] = MappingProxyType({}),
) -> Graph:
    """x of [2, 8, 3, 3] to y of half as many channels, if nothing else is said."""
    names = {name for node in nodes for name in (*node.inputs, *node.outputs)}
    held = {name: value.shape for name, value in constants.items()}
    known = {**dict.fromkeys(names, PART), "x": GIVEN.shape, **held, **shapes}
    tensors = {name: TensorInfo(name, shape) for name, shape in known.items()}
    return Graph("test", nodes, MappingProxyType(tensors), ("x",), ("y",), MappingProxyType(dict(constants)))


def sigmoid(x: Any) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


GATED = (CUT, SHARE, Node("gate", "Mul", ("a", "s"), ("y",), opset=20))
LESS = (CUT, SHARE, Node("less", "Sub", ("a", "s"), ("y",), opset=20))
REST = (CUT, Node("rest", "Sub", ("one", "b"), ("s",), opset=20), Node("gate", "Mul", ("a", "s"), ("y",), opset=20))
INNER = (
    CUT,
    Node("sum", "Add", ("a", "b"), ("s",), opset=20),
    Node("curve", "Sigmoid", ("s",), ("g",), opset=20),
    Node("gate", "Mul", ("a", "g"), ("y",), opset=20),
)


@pytest.mark.parametrize(
    ("nodes", "constants", "cause", "actual"),
    [
        (GATED, {}, "wrong_input", sigmoid(A) * B),
        (GATED, {}, "wrong_input", A * sigmoid(A)),
        (LESS, {}, "bias_missing", A),
        (REST, {"one": np.ones((), np.float32)}, "activation_missing", A * B),
        (INNER, {}, "affine", A * sigmoid(A + B + 1.0)),
        (INNER, {}, "scale", A * sigmoid(0.7 * (A + B))),
    ],
)
def test_each_is_named(nodes: tuple[Node, ...], constants: dict[str, Array], cause: str, actual: Array) -> None:
    diagnosis = explain(evidence(model(*nodes, constants=constants), actual.astype(np.float32), given=GIVEN))
    assert (diagnosis.findings[0].cause, diagnosis.failed) == (cause, ())


def test_two_changes_of_one_node_are_made_together() -> None:
    """Another constant, and another window of channels: the window is summed up with that constant."""
    node = Node("norm", "LRN", ("x",), ("y",), MappingProxyType({"size": 3, "alpha": 0.3, "bias": 1.5}), opset=20)
    case = FailingPass(evidence(model(node, shapes={"y": GIVEN.shape}), GIVEN, given=GIVEN))
    (own,) = case.model_slice.nodes
    larger = node_as(case, own, with_attributes(own, alpha=0.9))
    ahead = next(change for _, _, says, change in windows(case) if says.startswith("from the channel itself on"))
    squares = np.square(GIVEN.astype(np.float64))
    squares[:, :-1] += squares[:, 1:].copy()
    expected = GIVEN / (1.5 + 0.3 * squares) ** 0.75
    for changes in ((larger, ahead), (ahead, larger)):
        assert all(isinstance(each, NodeChange) for each in changes)
        np.testing.assert_allclose(case.model_slice.evaluate(changes), expected, rtol=1e-5)
