"""Noise for an input that points into a table stays inside the table."""

from __future__ import annotations

from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.inputs.values import places


def graph(*nodes: Node) -> Graph:
    shapes = {"words": (2, 3), "table": (30, 8), "segments": (2, 8), "x": (2, 3), "rows": (3, 2)}
    tensors = {name: TensorInfo(name, shape) for name, shape in shapes.items()}
    return Graph("net", nodes, tensors, ("words", "x"), (), {})


def test_the_smallest_table_that_a_tensor_points_into_counts_through_what_moves_it() -> None:
    made = graph(
        Node("a", "Gather", ("table", "words"), ("y",)),
        Node("b", "Cast", ("words",), ("narrow",), {"to": 6}),
        Node("c", "Reshape", ("narrow", "rows"), ("flat",)),
        Node("d", "Gather", ("segments", "flat"), ("z",), {"axis": 0}),
        Node("e", "Gather", ("table", "words"), ("v",), {"axis": -1}),
    )
    assert places(made, "words") == 2
    assert places(graph(*made.nodes[:1]), "words") == 30
    assert places(graph(made.nodes[-1]), "words") == 8


def test_what_points_nowhere_has_no_places() -> None:
    made = graph(Node("a", "Add", ("words", "x"), ("sum",)), Node("b", "Gather", ("table", "sum"), ("y",)))
    assert places(made, "words") is None
    assert places(graph(Node("a", "Gather", ("lost", "words"), ("y",))), "words") is None
