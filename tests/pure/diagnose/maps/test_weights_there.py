"""Weights that stand in a shader's text are solved for, and what is done to values before they are multiplied."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest

from pipeline.diagnose.explain import explain
from pipeline.diagnose.maps.weights_there import weights_there
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Graph, Node, TensorInfo
from tests.pure.diagnose.synthetic import Array, evidence, graph, right

Edit = Callable[[Array], None]


def told(actual: Array, made: Graph) -> tuple[str, str]:
    """The first cause, and how it is said, of a pass that has its weights in its text."""
    found = evidence(made, actual)
    diagnosis = explain(dataclasses.replace(found, reads=found.reads[:1]))
    assert diagnosis.failed == ()
    return diagnosis.findings[0].cause, diagnosis.findings[0].evidence


def with_weights(made: Graph, edit: Edit) -> Graph:
    weights = np.array(made.constants["w"])
    edit(weights)
    return dataclasses.replace(made, constants=MappingProxyType({**made.constants, "w": weights}))


def mistaken(w: Array) -> None:
    w[2, 1, 0, 2] *= -1.0


def twice(w: Array) -> None:
    w[:, :, 1, 0] *= 2.0


def halved(w: Array) -> None:
    w[:, 1, 2, 2] *= 0.5


def left_out(w: Array) -> None:
    w[:, 2] = 0.0


def elsewhere(w: Array) -> None:
    w[:, :, 0, 1] += w[:, :, 2, 1]
    w[:, :, 2, 1] = 0.0


def transposed(w: Array) -> None:
    w[:] = w.transpose(0, 1, 3, 2).copy()


@pytest.mark.parametrize(
    ("edit", "cause", "says"),
    [
        (mistaken, "wrong_literal", "'w'[2, 1, 0, 2] is about"),
        (twice, "double_counted", "the products at taps (0, 1) 2 times"),
        (halved, "scale", "multiplies the products of channels 1 at taps (2, 2) with 0.5"),
        (left_out, "missing_channels", "leaves out the products of channels 2"),
        (elsewhere, "index_map", "multiplies the weights of row 2 and column 1 with what belongs to row 0"),
        (transposed, "kernel_transpose", "x and y swapped"),
    ],
)
def test_weights_in_the_text_are_told(edit: Edit, cause: str, says: str) -> None:
    made = graph()
    found = told(right(with_weights(made, edit)), made)
    assert found[0] == cause
    assert says in found[1]


def test_a_bias_in_the_text_is_told() -> None:
    made = graph()
    other = np.array(made.constants["b"])
    other[3] *= -1.0
    actual = right(dataclasses.replace(made, constants=MappingProxyType({**made.constants, "b": other})))
    cause, says = told(actual, made)
    assert cause == "wrong_literal"
    assert "'b'[3] is about" in says


def test_weights_in_a_texture_are_asked_for_otherwise() -> None:
    made = graph()
    assert weights_there(Case(evidence(made, right(with_weights(made, mistaken))))) is None


def both_signs(part: slice) -> tuple[Graph, Array]:
    """A sum over Relu of x and of -x, and what comes out where the ReLU of some channels is forgotten."""
    made = graph()
    weights = np.random.default_rng(8).standard_normal((4, 6, 3, 3)).astype(np.float32)
    nodes = (
        Node("neg", "Neg", ("x",), ("minus",), opset=20),
        Node("both", "Concat", ("x", "minus"), ("joined",), MappingProxyType({"axis": 1}), opset=20),
        Node("relu", "Relu", ("joined",), ("cut",), opset=20),
        dataclasses.replace(made.nodes[0], inputs=("cut", "w", "b")),
    )
    shapes = {"minus": (1, 3, 6, 7), "joined": (1, 6, 6, 7), "cut": (1, 6, 6, 7), "w": weights.shape}
    tensors = {**made.tensors, **{name: TensorInfo(name, shape) for name, shape in shapes.items()}}
    made = dataclasses.replace(
        made,
        nodes=nodes,
        tensors=MappingProxyType(tensors),
        constants=MappingProxyType({**made.constants, "w": weights}),
    )
    case = Case(evidence(made, right(made)))
    cut = np.array(case.redo.values["cut"])
    cut[:, part] = case.redo.values["joined"][:, part]
    return made, case.redo.run_node(nodes[-1], [cut, weights, made.constants["b"]])


def test_a_half_without_its_relu_is_told() -> None:
    made, actual = both_signs(np.s_[3:])
    cause, says = told(actual, made)
    assert cause == "activation_missing"
    assert "without Relu 'relu' of channels 3, 4 and 5" in says
