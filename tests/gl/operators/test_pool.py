"""Pools match the oracle for every kind of window, over whole pictures, and read what they say."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope import pipeline
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.pool import LpPool, MaxPool

X = normal(2, 3, 7, 6)
WINDOWS: list[dict[str, object]] = [
    {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 2, 1]},
    {"kernel_shape": [3, 3], "strides": [2, 3], "pads": [1, 1, 1, 1], "ceil_mode": 1},
    {"kernel_shape": [2, 3], "dilations": [3, 2], "pads": [1, 1, 1, 1]},
    {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"},
]
KINDS: list[tuple[str, dict[str, object]]] = [
    ("MaxPool", {}),
    ("AveragePool", {}),
    ("AveragePool", {"count_include_pad": 1}),
    ("LpPool", {"p": 1}),
    ("LpPool", {"p": 2}),
    ("LpPool", {"p": 3}),
]
CASES = [
    *(NodeCase(kind, (X,), extra | frame, opset=22) for kind, extra in KINDS for frame in WINDOWS),
    NodeCase("MaxPool", (normal(2, 3, 9),), {"kernel_shape": [4], "strides": [3]}),
    NodeCase("AveragePool", (normal(1, 2, 5, 6, 4),), {"kernel_shape": [2, 3, 2], "pads": [1, 1, 0, 0, 1, 1]}),
    NodeCase("LpPool", (normal(1, 2, 5, 6, 4),), {"kernel_shape": [2, 3, 2], "strides": [2, 1, 1]}),
    *(
        NodeCase(kind, (normal(*shape),))
        for kind in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
        for shape in ((2, 5, 7, 6), (2, 3, 9), (1, 2, 3, 4, 5))
    ),
]
INDEX_CASES = [
    *(NodeCase("MaxPool", (X,), WINDOWS[i] | {"storage_order": order}, outputs=2) for i in (0, 2) for order in (0, 1)),
    NodeCase("MaxPool", (normal(2, 3, 9),), {"kernel_shape": [4], "strides": [3]}, outputs=2),
    NodeCase("MaxPool", (normal(2, 2, 5, 6, 4),), {"kernel_shape": [2, 3, 2]}, outputs=2),
    NodeCase("MaxPool", (np.zeros((1, 2, 4, 4), np.float32),), {"kernel_shape": [2, 2]}, outputs=2),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", INDEX_CASES, ids=str)
def test_the_places_of_largest_elements_are_a_second_pass(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", [CASES[i] for i in (0, 2, 7, 21, 25)], ids=str)
def test_every_element_reads_the_taps_that_it_lists(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl, poison=np.inf)


OVERHANGING: dict[str, object] = {"kernel_shape": [67, 65], "strides": [3, 2], "ceil_mode": 1, "pads": [2, 1, 1, 0]}
COUNTED: dict[str, object] = {"kernel_shape": [68, 66], "auto_pad": "SAME_UPPER", "count_include_pad": 1}
LARGE = [
    NodeCase("GlobalAveragePool", (normal(1, 3, 150, 140),)),
    NodeCase("GlobalMaxPool", (normal(1, 3, 65, 64),)),
    NodeCase("GlobalLpPool", (normal(1, 3, 65, 64),), {"p": 3}),
    NodeCase("AveragePool", (normal(1, 2, 70, 71),), OVERHANGING),
    NodeCase("AveragePool", (normal(1, 2, 70, 71),), COUNTED),
    NodeCase("LpPool", (normal(1, 2, 140, 71),), {"kernel_shape": [65, 66], "dilations": [2, 1]}, opset=22),
]


@pytest.mark.parametrize("case", LARGE, ids=str)
def test_a_large_window_is_pooled_by_rows_first(case: NodeCase, gl: moderngl.Context) -> None:
    assert len(pipeline.plan_of(case.model()).passes) == 2
    assert_matches(case, "row_major_rgba", gl)


def test_a_norm_without_a_whole_p_is_refused_by_name() -> None:
    tensors = {"x": TensorInfo("x", (1, 1, 4, 4)), "y": TensorInfo("y", (1, 1, 3, 3))}
    node = Node("norm", "LpPool", ("x",), ("y",), {"kernel_shape": (2, 2), "p": 1.5})
    graph = Graph("model", (node,), tensors, ("x",), ("y",), {})
    with pytest.raises(
        UnsupportedError, match=r"LpPool 'norm' \(model\): expected a whole p of at least 1, got 1\.5\."
    ):
        LpPool().kernel(Call(node, graph))


def test_four_spatial_axes_are_refused_by_name() -> None:
    case = NodeCase("MaxPool", (normal(1, 1, 2, 2, 2, 2),), {"kernel_shape": [1, 1, 1, 1]})
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert "expected one to three spatial axes, got an input of shape [1, 1, 2, 2, 2, 2]" in missing.reason


def test_places_beyond_exact_integers_are_refused_by_name() -> None:
    tensors = {name: TensorInfo(name, (1, 300, 300, 300)) for name in ("x", "y", "i")}
    node = Node("pool", "MaxPool", ("x",), ("y", "i"), {"kernel_shape": (1, 1)})
    graph = Graph("model", (node,), tensors, ("x",), ("y", "i"), {})
    with pytest.raises(UnsupportedError, match=r"MaxPool 'pool' \(model\): expected places up to 16777216, exact in a"):
        MaxPool().kernel(Call(node, graph), 1)
