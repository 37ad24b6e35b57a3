"""The program's own operators under long axes: what each element says that it reads is what it reads."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.planning.planner import plan_graph

Shape = tuple[int, ...]


def own(op_type: str, read: Shape, made: Shape, **attributes: object) -> Graph:
    tensors = {"x": TensorInfo("x", read), "y": TensorInfo("y", made)}
    return Graph("own", (Node("n", op_type, ("x",), ("y",), attributes, OWN_DOMAIN),), tensors, ("x",), ("y",), {})


def running(op_type: str, **attributes: object) -> Graph:
    return own(op_type, (2, 7, 2), (2, 7, 2), axis=1, block=3, fold="add", start=0.0, **attributes)


GRAPHS = {
    "folds": own("BlockFold", (2, 3, 4), (8, 2), view=(2, 3, 4), axes=(1,), block=2, fold="mul", shape=(8, 2)),
    "in blocks": running("BlockCumulative", reverse=0),
    "in blocks from the end": running("BlockCumulative", reverse=1),
    "across blocks": running("AcrossBlocks", reverse=0, exclusive=0),
    "across blocks from the end": running("AcrossBlocks", reverse=1, exclusive=0),
    "across blocks, exclusive": running("AcrossBlocks", reverse=0, exclusive=1),
    "across blocks from the end, exclusive": running("AcrossBlocks", reverse=1, exclusive=1),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_every_element_reads_what_it_lists(name: str, gl: moderngl.Context) -> None:
    graph = GRAPHS[name]
    value = np.abs(normal(*graph.tensors["x"].shape))
    operator, call = all_operators()[graph.nodes[0].op_type], Call(graph.nodes[0], graph)
    readers = [(operator.reads(call, element) or {})[0].tolist() for element in range(graph.tensors["y"].count)]
    with DebugSession(plan_graph(graph), gl) as session:
        for index in range(value.size):
            poisoned = value.copy()
            poisoned.reshape(-1)[index] = np.nan
            session.set_input("x", poisoned)
            session.run()
            reached = np.flatnonzero(np.isnan(session.tensor("y").reshape(-1)))
            np.testing.assert_array_equal(reached, [i for i, elements in enumerate(readers) if index in elements])


@pytest.mark.parametrize(
    ("graph", "element", "elements"),
    [
        (own("Rank", (2, 4, 3), (2, 4, 3), axis=1, sign=1.0), 13, [13, 16, 19, 22]),
        (
            own("BlockArg", (2, 5), (2, 2), view=(2, 5), axes=(1,), block=3, sign=1.0, last=0, shape=(2, 2)),
            3,
            [8, 9],
        ),
    ],
    ids=["Rank", "BlockArg"],
)
def test_a_comparison_lists_all_that_it_compares(graph: Graph, element: int, elements: list[int]) -> None:
    reads = all_operators()[graph.nodes[0].op_type].reads(Call(graph.nodes[0], graph), element)
    assert reads is not None
    assert reads[0].tolist() == elements
