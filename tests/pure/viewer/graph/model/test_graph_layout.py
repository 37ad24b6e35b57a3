"""The graph view's layout: who stands where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texelscope.viewer.graph.model.graph_layout import Edge, GraphCell, beside, layered


def test_a_chain_stands_in_one_row() -> None:
    found = layered(["x", "a", "b"], {"a": ["x"], "b": ["a"]})
    assert found.cells == (GraphCell("x", 0, 0), GraphCell("a", 1, 0), GraphCell("b", 2, 0))
    assert (found.ranks, found.rows) == (3, 1)


def test_branches_stand_below_each_other_and_meet_again() -> None:
    found = layered(["x", "left", "right", "both"], {"left": ["x"], "right": ["x"], "both": ["left", "right"]})
    assert [(cell.rank, cell.row) for cell in found.cells] == [(0, 0), (1, 0), (1, 1), (2, 0)]


def test_a_skip_knows_how_far_it_leaps() -> None:
    found = layered(["x", "a", "b", "join"], {"a": ["x"], "b": ["a"], "join": ["b", "x"]})
    assert Edge("x", "join", 3) in found.edges


def test_what_is_read_twice_is_one_edge_and_weights_are_none() -> None:
    assert layered(["x", "square"], {"square": ["x", "x", "weights"]}).edges == (Edge("x", "square", 1),)


def test_a_gradient_stands_beside_its_tensor_and_the_way_back_leads_up() -> None:
    reads = {"a": ["x"], "b": ["a"], "loss": ["b"], "late": ["loss"]}
    reads |= {"open": ["a"], "b.grad": ["b"], "a.grad": ["b.grad", "open"], "w.grad": ["b.grad"], "x.grad": ["a.grad"]}
    names = ["x", "a", "b", "loss", "late", "open", "b.grad", "a.grad", "w.grad", "x.grad"]
    backward = {name for name in names if "grad" in name or name == "open"}
    found = beside(names, reads, backward, {"b": "b.grad", "a": "a.grad", "x": "x.grad"})
    ranks = {cell.name: cell.rank for cell in found.cells}
    assert [ranks[name] for name in ("x", "a", "b", "loss", "late")] == [0, 1, 2, 3, 4]
    assert [ranks[f"{name}.grad"] for name in ("x", "a", "b")] == [0, 1, 2]
    assert ranks["open"] == ranks["a.grad"] + 1
    columns = {name: {cell.row for cell in found.cells if (cell.name in backward) is name} for name in (False, True)}
    assert max(columns[False]) < min(columns[True])
    assert {edge.source for edge in found.edges if edge.across} == {"a", "b"}
    assert len({(cell.rank, cell.row) for cell in found.cells}) == len(names)
    assert found.ranks == 5


def test_layers_give_way_to_what_their_gradients_need() -> None:
    """Two passes between the gradients of b and a; a skip past b whose gradient is that of the sum."""
    reads = {"a": ["x"], "b": ["a"], "sum": ["a", "b"]}
    reads |= {"half": ["sum"], "b.grad": ["half"], "two": ["b.grad"], "a.grad": ["two"]}
    names = ["x", "a", "b", "sum", "half", "b.grad", "two", "a.grad"]
    found = beside(names, reads, names[4:], {"sum": "half", "b": "b.grad", "a": "a.grad"})
    ranks = {cell.name: cell.rank for cell in found.cells}
    assert [ranks[name] for name in ("x", "a", "b", "sum")] == [0, 1, 3, 4]
    assert ranks["a.grad"] == ranks["a"]
    assert beside(["x", "a"], {"a": ["x"]}, (), {}) == layered(["x", "a"], {"a": ["x"]})


@given(st.lists(st.sets(st.integers(0, 11), max_size=3), max_size=12))
def test_no_two_layers_share_a_place_and_every_edge_goes_to_the_right(inputs: list[set[int]]) -> None:
    names = [str(i) for i in range(len(inputs))]
    reads = {str(i): [str(j) for j in sources if j < i] for i, sources in enumerate(inputs)}
    found = layered(names, reads)
    places = {(cell.rank, cell.row) for cell in found.cells}
    assert len(places) == len(names)
    assert all(edge.span >= 1 for edge in found.edges)
    assert all(rank < found.ranks and row < found.rows for rank, row in places)
