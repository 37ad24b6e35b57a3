"""Reductions redone: unchanged terms give the oracle's values, and what is left out is what the words say."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.fault_models.reductions import ReductionMistake, fewer
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelSlice
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]
X = np.random.default_rng(1).standard_normal((2, 3, 4, 5)).astype(np.float32)


def _redone(op_type: str, axes: tuple[int, ...], terms: Any, *, divide: bool = False, **attributes: Any) -> Array:
    axes_or_axis = {"axis": axes[0]} if op_type == "Softmax" else {"axes": axes}
    return _changed(
        op_type, terms, divide=divide, opset=13 if op_type == "Softmax" else 11, **axes_or_axis, **attributes
    )


def _changed(op_type: str, terms: Any, *, divide: bool = False, opset: int, **attributes: Any) -> Array:
    """A node of X on other terms."""
    node = Node("n", op_type, ("x",), ("y",), MappingProxyType(attributes), opset=opset)
    (value,) = Reference().run_node(node, [X])
    assert value is not None
    tensors = {"x": TensorInfo("x", X.shape), "y": TensorInfo("y", value.shape)}
    graph = Graph("test", (node,), tensors, ("x",), ("y",), {})
    redo = ModelSlice(graph, GraphOracle(graph), {"x": X}, "y")
    rows = redo.rows(node)
    assert rows is not None
    return ReductionMistake(redo, node, rows).change(terms, divide=divide).change(node, [X])


@pytest.mark.parametrize(
    ("op_type", "wanted"),
    [
        ("ReduceSum", X.sum(axis=(1, 3), keepdims=True)),
        ("ReduceMean", X.mean(axis=(1, 3), keepdims=True)),
        ("ReduceMax", X.max(axis=(1, 3), keepdims=True)),
        ("ReduceL2", np.sqrt(np.square(X).sum(axis=(1, 3), keepdims=True))),
        ("ReduceLogSumExp", np.log(np.exp(X).sum(axis=(1, 3), keepdims=True))),
    ],
)
def test_the_same_terms_give_the_same_result(op_type: str, wanted: Array) -> None:
    np.testing.assert_allclose(_redone(op_type, (1, 3), lambda rows: rows), wanted, rtol=1e-5)


def test_a_softmax_keeps_its_elements_where_they_are() -> None:
    powers = np.exp(X.astype(np.float64))
    made = _redone("Softmax", (1,), lambda rows: rows)
    np.testing.assert_allclose(made, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("op_type", ["Softmax", "LogSoftmax"])
def test_before_opset_13_a_softmax_loses_a_term_of_all_axes_from_one_on(op_type: str) -> None:
    made = _changed(op_type, lambda rows: rows[:, :-1], opset=12, axis=2)
    powers = np.exp(X.astype(np.float64)).reshape(6, 20)
    wanted = (powers / powers[:, :-1].sum(axis=1, keepdims=True)).reshape(X.shape)
    np.testing.assert_allclose(made, np.log(wanted) if op_type == "LogSoftmax" else wanted, rtol=1e-5, atol=1e-6)


def test_a_mean_of_fewer_terms_divides_by_all_or_by_those() -> None:
    without = X[..., :-1].sum(axis=3, keepdims=True)
    terms = dict(fewer(5, 5))["the last element"]
    np.testing.assert_allclose(_redone("ReduceMean", (3,), lambda rows: rows[:, terms]), without / 5.0, rtol=1e-5)
    by_those = _redone("ReduceMean", (3,), lambda rows: rows[:, terms], divide=True)
    np.testing.assert_allclose(by_those, without / 4.0, rtol=1e-5)


def test_of_rows_the_last_of_each_is_left_out() -> None:
    assert dict(fewer(6, 3))["the last of each row"].tolist() == [0, 1, 3, 4]
    assert dict(fewer(6, 3))["the first row"].tolist() == [3, 4, 5]


def test_dimensions_that_are_not_kept_go() -> None:
    assert _redone("ReduceSum", (1, 3), lambda rows: rows, keepdims=0).shape == (2, 4)
