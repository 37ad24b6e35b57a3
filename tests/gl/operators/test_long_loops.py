"""Axes longer than a fragment may loop: parted over passes, and right; or refused by name, before anything runs.

The bound of a long sum is wide, so results are held against numpy in float64 as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest

from tests.gl.operators.single_node import (
    Array,
    NodeCase,
    assert_matches,
    floats,
    ints,
    normal,
)
from texelscope import pipeline
from texelscope.pipeline.operators.base import turns_of

ROWS = "row_major_rgba"
PLANE = normal(1, 2, 300, 300)
POSITIVE = np.abs(PLANE)
NEAR_ONE = (1.0 + 1e-4 * PLANE).astype(np.float32)
LINE = normal(2, 70_001)
NAMES = normal(2, 5001)

Exact = Callable[[Array], Array]
BOTH: Any = {"axis": (2, 3), "keepdims": True}
REDUCED: dict[str, tuple[Array, Exact]] = {
    "ReduceSum": (PLANE, lambda x: x.sum(**BOTH)),
    "ReduceMean": (PLANE, lambda x: x.mean(**BOTH)),
    "ReduceMax": (PLANE, lambda x: x.max(**BOTH)),
    "ReduceMin": (PLANE, lambda x: x.min(**BOTH)),
    "ReduceProd": (NEAR_ONE, lambda x: x.prod(**BOTH)),
    "ReduceL1": (PLANE, lambda x: np.abs(x).sum(**BOTH)),
    "ReduceL2": (PLANE, lambda x: np.sqrt((x * x).sum(**BOTH))),
    "ReduceSumSquare": (PLANE, lambda x: (x * x).sum(**BOTH)),
    "ReduceLogSum": (POSITIVE, lambda x: np.log(x.sum(**BOTH))),
    "ReduceLogSumExp": (PLANE, lambda x: np.log(np.exp(x).sum(**BOTH))),
}


@pytest.mark.parametrize("layout", ["channel_tiles", ROWS])
@pytest.mark.parametrize("op_type", REDUCED)
def test_a_plane_of_90000_elements_is_reduced_whole(op_type: str, layout: str, gl: moderngl.Context) -> None:
    x, exact = REDUCED[op_type]
    (y,) = assert_matches(NodeCase(op_type, (x, ints(2, 3)), {"keepdims": 1}, constant=(1,)), layout, gl)
    np.testing.assert_allclose(y, exact(x.astype(np.float64)), rtol=2e-5, atol=2e-3)


def test_whole_numbers_are_added_up_exactly_and_nothing_is_lost_where_all_is_infinite(gl: moderngl.Context) -> None:
    numbers = np.arange(9000).reshape(9000, 1) % 77
    (total,) = assert_matches(NodeCase("ReduceSum", (numbers, ints(0)), constant=(1,)), ROWS, gl)
    assert total.item() == numbers.sum()
    nothing = np.full((9000, 1), -np.inf, np.float32)
    (y,) = assert_matches(NodeCase("ReduceLogSumExp", (nothing, ints(0)), constant=(1,)), ROWS, gl)
    assert y.item() == -np.inf


ALONG: dict[str, tuple[NodeCase, Exact]] = {
    "first largest": (NodeCase("ArgMax", (LINE,), {"axis": 1}), lambda x: x.argmax(axis=1)),
    "last smallest": (
        NodeCase("ArgMin", (np.round(LINE),), {"axis": 1, "select_last_index": 1}),
        lambda x: 70_000 - x[:, ::-1].argmin(axis=1),
    ),
    "hardmax": (NodeCase("Hardmax", (NAMES,), {"axis": 1}), lambda x: np.eye(5001)[x.argmax(axis=1)]),
    "sums": (NodeCase("CumSum", (LINE, ints(1)), constant=(1,)), lambda x: x.cumsum(axis=1)),
    "sums from the end, exclusive": (
        NodeCase("CumSum", (NAMES, ints(1)), {"reverse": 1, "exclusive": 1}, constant=(1,)),
        lambda x: x[:, ::-1].cumsum(axis=1)[:, ::-1] - x,
    ),
    "products, exclusive": (
        NodeCase("CumProd", (NEAR_ONE.reshape(2, -1), ints(1)), {"exclusive": 1}, constant=(1,), opset=26),
        lambda x: x.cumprod(axis=1) / x,
    ),
    "global mean": (NodeCase("GlobalAveragePool", (normal(1, 2, 42, 42, 42),)), lambda x: x.mean(axis=(2, 3, 4))),
    "global largest": (NodeCase("GlobalMaxPool", (LINE[None],)), lambda x: x.max(axis=2)),
    "vector": (NodeCase("MatMul", (LINE, LINE[0]), constant=(1,)), lambda x: x @ LINE[0].astype(np.float64)),
    "matrix": (
        NodeCase("Gemm", (LINE, LINE, floats(1, 2)), {"transB": 1, "alpha": 0.5}),
        lambda x: 0.5 * x @ x.T + [1, 2],
    ),
    "inner": (NodeCase("Einsum", (LINE, LINE), {"equation": "ij,ij->"}), lambda x: (x * x).sum()),
}


@pytest.mark.parametrize("name", ALONG)
def test_a_long_axis_comes_out_right(name: str, gl: moderngl.Context) -> None:
    case, exact = ALONG[name]
    x = case.inputs[0]
    assert x is not None
    (y,) = assert_matches(case, ROWS, gl)
    np.testing.assert_allclose(y, np.reshape(exact(x.astype(np.float64)), y.shape), rtol=2e-5, atol=2e-3)


def test_a_window_over_very_many_channels_comes_out_right(gl: moderngl.Context) -> None:
    x, w = normal(1, 3000, 5, 5), normal(2, 3000, 5, 5, seed=1)
    (y,) = assert_matches(NodeCase("Conv", (x, w, floats(1, 2))), "channel_tiles_rgba", gl)
    expected = np.einsum("cij,ocij->o", x[0].astype(np.float64), w.astype(np.float64))
    np.testing.assert_allclose(y.reshape(-1), expected + floats(1, 2), rtol=2e-5, atol=2e-3)

    x, w = normal(1, 3000, 3, 3), normal(3000, 1, 5, 5, seed=1)
    (y,) = assert_matches(NodeCase("ConvTranspose", (x, w)), "channel_tiles", gl)
    middle = np.einsum("cij,cij->", x[0].astype(np.float64), w[:, 0, 3:0:-1, 3:0:-1].astype(np.float64))
    np.testing.assert_allclose(y[0, 0, 3, 3], middle, rtol=2e-5, atol=2e-3)


def test_a_large_window_of_a_volume_is_parted_axis_by_axis(gl: moderngl.Context) -> None:
    x = normal(1, 1, 24, 24, 24)
    case = NodeCase("AveragePool", (x,), {"kernel_shape": [20, 20, 20], "pads": [3] * 6})
    (y,) = assert_matches(case, "channel_tiles_rgba", gl)
    np.testing.assert_allclose(y[0, 0, 0, 0, 0], x[0, 0, :17, :17, :17].astype(np.float64).mean(), atol=1e-6)


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("size", [300, 1000])
def test_the_best_of_many_classes_are_found(size: int, largest: int, gl: moderngl.Context) -> None:
    x = np.round(20.0 * normal(2, size, 3))  # with equal ones: the first comes first
    case = NodeCase("TopK", (x, ints(5)), {"axis": 1, "largest": largest}, constant=(1,), outputs=2)
    values, places = assert_matches(case, "channel_tiles_rgba", gl)
    order = np.argsort(-x if largest else x, axis=1, kind="stable")[:, :5]
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, axis=1))


def test_places_beyond_what_half_floats_count_are_found_in_half_precision(gl: moderngl.Context) -> None:
    x = np.zeros((1, 5001), np.float32)
    x[0, [4999, 2049, 3001]] = 3.0, 2.0, 1.0
    case = NodeCase("TopK", (x, ints(3)), constant=(1,), outputs=2)
    with pipeline.open(case.model(), precision="float16", layout=ROWS, context=gl) as session:
        session.set_input("in0", x)
        session.run()
        assert session.tensor("out1").tolist() == [[4999, 2049, 3001]]
        assert session.compare(findings=False).verdict == "match"


TUPLES = np.zeros((300, 300, 1), np.int64)
REFUSED: dict[str, tuple[NodeCase, str, str]] = {
    "updates": (NodeCase("ScatterND", (normal(8), TUPLES, PLANE[0, 0])), "channel_tiles", "90000 in channel_tiles"),
    "places": (
        NodeCase("MaxPool", (PLANE,), {"kernel_shape": [300, 300]}, outputs=2),
        "channel_tiles",
        "90300 in channel_tiles",
    ),
    "powers": (
        NodeCase("LpPool", (PLANE,), {"kernel_shape": [60, 60], "p": 20}),
        "channel_tiles",
        "72060 in channel_tiles",
    ),
    "groups": (
        NodeCase("Conv", (normal(1, 6000, 5, 5), normal(2, 3000, 5, 5)), {"group": 2}),
        "channel_tiles",
        "93000 in channel_tiles",
    ),
    "ranks": (NodeCase("TopK", (LINE, ints(2)), constant=(1,), outputs=2), ROWS, "280004 in row_major_rgba"),
    "spectrum": (
        NodeCase("DFT", (normal(1, 16_001, 1),), {"axis": 1}, opset=17),
        ROWS,
        "64004 in row_major_rgba. Choose a layout of fewer lanes: --layout channel_tiles or filter_tiles",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_parted_is_refused_by_name(name: str) -> None:
    case, layout, got = REFUSED[name]
    missing = pipeline.plan_of(case.model(), layout=layout).not_run[0]
    expected = "expected at most 64000 turns of all loops for a texel, got"
    assert f"({case.op_type}): {expected} {got}" in missing.reason


def test_only_loops_that_no_compiler_unrolls_are_counted() -> None:
    assert [turns_of(7), turns_of(3), turns_of(5, 3), turns_of(5, 4), turns_of(2, 3, 4)] == [7, 0, 5, 25, 32]


CARRIED = {
    "TopK": NodeCase("TopK", (NAMES, ints(3)), {"axis": 1}, constant=(1,), outputs=2),
    "ArgMax": NodeCase("ArgMax", (NAMES,), {"axis": 1}),
    "ReduceMax": NodeCase("ReduceMax", (NAMES, ints(1)), constant=(1,)),
    "ReduceProd": NodeCase("ReduceProd", (NEAR_ONE.reshape(2, -1), ints(1)), constant=(1,)),
    "ReduceL1": NodeCase("ReduceL1", (NAMES, ints(1)), constant=(1,)),
    "CumSum": NodeCase("CumSum", (NAMES, ints(1)), {"reverse": 1}, constant=(1,)),
}


@pytest.mark.parametrize("op_type", CARRIED)
def test_errors_of_the_input_are_carried_through_the_parts(op_type: str, gl: moderngl.Context) -> None:
    """Behind a sum, whose result is rounded, every pass matches end to end as well."""
    model, x = CARRIED[op_type].model(), CARRIED[op_type].inputs[0]
    assert x is not None
    head = model.graph.node[0]
    head.input[0] = "mean"
    model.graph.node.insert(0, onnx.helper.make_node("Mean", ["in0"] * 3, ["mean"], name="mean"))
    with pipeline.open(model, layout=ROWS, context=gl) as session:
        session.set_input("in0", x)
        session.run()
        for each in session.compare(findings=False).passes:
            assert each.verdict == "match"
            assert each.chained is not None
            assert each.chained.mismatched == 0
