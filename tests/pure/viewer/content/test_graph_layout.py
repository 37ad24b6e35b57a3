"""The graph view's layout: who stands where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from viewer.content.graph_layout import Cell, Edge, layered


def test_a_chain_stands_in_one_row() -> None:
    found = layered(["x", "a", "b"], {"a": ["x"], "b": ["a"]})
    assert found.cells == (Cell("x", 0, 0), Cell("a", 1, 0), Cell("b", 2, 0))
    assert (found.ranks, found.rows) == (3, 1)


def test_branches_stand_below_each_other_and_meet_again() -> None:
    found = layered(["x", "left", "right", "both"], {"left": ["x"], "right": ["x"], "both": ["left", "right"]})
    assert [(cell.rank, cell.row) for cell in found.cells] == [(0, 0), (1, 0), (1, 1), (2, 0)]


def test_a_skip_knows_how_far_it_leaps() -> None:
    found = layered(["x", "a", "b", "join"], {"a": ["x"], "b": ["a"], "join": ["b", "x"]})
    assert Edge("x", "join", 3) in found.edges


def test_what_is_read_twice_is_one_edge_and_weights_are_none() -> None:
    assert layered(["x", "square"], {"square": ["x", "x", "weights"]}).edges == (Edge("x", "square", 1),)


@given(st.lists(st.sets(st.integers(0, 11), max_size=3), max_size=12))
def test_no_two_layers_share_a_place_and_every_edge_goes_to_the_right(inputs: list[set[int]]) -> None:
    names = [str(i) for i in range(len(inputs))]
    reads = {str(i): [str(j) for j in sources if j < i] for i, sources in enumerate(inputs)}
    found = layered(names, reads)
    places = {(cell.rank, cell.row) for cell in found.cells}
    assert len(places) == len(names)
    assert all(edge.span >= 1 for edge in found.edges)
    assert all(rank < found.ranks and row < found.rows for rank, row in places)
