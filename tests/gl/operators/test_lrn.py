"""LRN matches the oracle as ONNX defines it and in its general form, and reads what it says."""

from __future__ import annotations

import dataclasses
import itertools

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.conventions import LocalResponse
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.planning.planner import plan_graph

CASES = [
    NodeCase("LRN", (normal(*shape),), {"size": size, "alpha": 0.7, "beta": beta, "bias": 1.5})
    for shape, size, beta in (
        ((2, 7, 3, 4), 3, 0.75),
        ((2, 7, 3, 4), 4, 0.5),
        ((1, 3, 2, 5), 9, 1.0),
        ((2, 5, 6), 3, 0.6),
        ((2, 5, 2, 3, 2), 3, 0.75),
    )
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_any_window_and_rank_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_every_element_reads_the_channels_that_it_lists(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


@pytest.mark.parametrize(
    ("spatial", "repeat_edge", "window", "before"),
    list(itertools.product((False, True), (False, True), (3, 4), (1, 2))),
)
def test_the_general_form_matches_and_reads_what_it_says(
    spatial: bool, repeat_edge: bool, window: int, before: int, gl: moderngl.Context
) -> None:
    x = normal(2, 5, 4, 6)
    form = LocalResponse(window, before, 0.3, 1.2, 0.75, spatial, repeat_edge)
    tensors = {name: TensorInfo(name, x.shape) for name in ("x", "y")}
    node = Node("lrn", "LRN", ("x",), ("y",), dataclasses.asdict(form), domain=OWN_DOMAIN)
    graph = Graph("general", (node,), tensors, ("x",), ("y",), {})
    operator, call = all_operators()["LRN"], Call(node, graph)
    with DebugSession(plan_graph(graph), gl) as session:
        session.set_input("x", x)
        session.run()
        (each,) = session.compare().passes
        assert each.verdict == "match", each
        poisoned = x.copy()
        poisoned[1, 2, 3, 0] = np.nan
        session.set_input("x", poisoned)
        session.run()
        reached = np.flatnonzero(np.isnan(session.tensor("y").reshape(-1)))
    index = int(np.ravel_multi_index((1, 2, 3, 0), x.shape))
    readers = [element for element in range(x.size) if index in (operator.reads(call, element) or {})[0]]
    np.testing.assert_array_equal(reached, readers)
