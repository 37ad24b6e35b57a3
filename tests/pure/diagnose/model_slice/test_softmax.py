"""A softmax redone on its own sums is the softmax, by the rule of its opset for what is normalised together."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelSlice
from texelscope.pipeline.diagnose.model_slice.softmax import SoftmaxSlice, log_sums, softmax_of, softmaxes
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

X = np.random.default_rng(1).standard_normal((2, 3, 4, 5)).astype(np.float32)


def redone(op_type: str, *, opset: int, axis: int, x: np.ndarray = X) -> tuple[SoftmaxSlice, ModelSlice]:
    node = Node("n", op_type, ("x",), ("y",), MappingProxyType({"axis": axis}), opset=opset)
    tensors = {name: TensorInfo(name, x.shape) for name in "xy"}
    graph = Graph("test", (node,), tensors, ("x",), ("y",), {})
    redo = ModelSlice(graph, GraphOracle(graph), {"x": x}, "y")
    (found,) = softmaxes(redo)
    return found, redo


@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax"])
@pytest.mark.parametrize(("opset", "axis"), [(13, 1), (13, -1), (12, 1), (11, 2), (7, 3)])
def test_its_own_sums_give_what_the_oracle_gives(op_type: str, opset: int, axis: int) -> None:
    softmax, redo = redone(op_type, opset=opset, axis=axis)
    rows = softmax.of(X)
    made = softmax.made(rows, log_sums(rows)).reshape(X.shape)
    np.testing.assert_allclose(made, redo.values["y"], rtol=1e-5, atol=1e-6)


def test_other_sums_give_other_shares() -> None:
    softmax, redo = redone("Softmax", opset=13, axis=1)
    rows = softmax.of(X)
    made = softmax.made(rows, log_sums(rows) + np.log(2.0))
    np.testing.assert_allclose(made, redo.values["y"] / 2.0, rtol=1e-5)


def test_the_sums_of_the_first_place_along_an_axis_are_taken_for_all() -> None:
    softmax, _ = redone("Softmax", opset=13, axis=1)
    taken = dict(softmax.first_rows())
    assert [*taken] == [0, 2, 3]
    sums = np.exp(X.astype(np.float64)).sum(axis=1, keepdims=True)
    for axis, rows in taken.items():
        made = softmax.with_sums_of(rows).change(softmax.node, [X])
        np.testing.assert_allclose(made, np.exp(X) / sums.take([0], axis), rtol=1e-5)


def test_large_elements_do_not_overflow() -> None:
    softmax, _ = redone("Softmax", opset=13, axis=1, x=X * np.float32(300.0))
    rows = softmax.of(X * np.float32(300.0))
    assert np.isfinite(softmax.made(rows, log_sums(rows))).all()


def test_nothing_else_is_a_softmax() -> None:
    softmax, redo = redone("Softmax", opset=13, axis=1)
    assert softmax_of(redo, softmax.node) == softmax
    assert softmax_of(redo, Node("n", "Hardmax", ("x",), ("y",))) is None
