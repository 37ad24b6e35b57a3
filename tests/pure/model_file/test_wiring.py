"""The order of nodes, and what is said of models that have none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.model_file.wiring import NodeWires, order


def wires(text: str) -> list[NodeWires]:
    """Returns `a>b, b c>d` as nodes n0, n1 … with what they read and make."""
    pairs = [part.split(">") for part in text.split(",")]
    return [
        NodeWires(f"Op 'n{i}'", tuple(reads.split()), tuple(makes.split())) for i, (reads, makes) in enumerate(pairs)
    ]


def test_nodes_that_are_in_order_stay_as_they_are() -> None:
    assert order(wires("x>a, x>b, a b>y"), ["x"], ["y"], "m") == [0, 1, 2]


def test_nodes_that_are_out_of_order_are_put_in_order() -> None:
    assert order(wires("a b>y, x>b, x>a"), ["x"], ["y"], "m") == [1, 2, 0]


def test_omitted_inputs_and_outputs_connect_nothing() -> None:
    nodes = [NodeWires("Op 'n0'", ("x", ""), ("a", "")), NodeWires("Op 'n1'", ("", "a"), ("", "y"))]
    assert order(nodes, ["x"], ["y"], "m") == [0, 1]


@given(st.permutations(range(12)), st.integers(0, 1000))
def test_any_order_of_an_acyclic_graph_can_be_mended(places: list[int], seed: int) -> None:
    chain = [NodeWires(f"n{i}", (f"t{i}", f"t{i * seed % (i + 1)}"), (f"t{i + 1}",)) for i in range(12)]
    nodes = [chain[place] for place in places]
    made = {"t0"}
    for position in order(nodes, ["t0"], ["t12"], "m"):
        assert made.issuperset(nodes[position].reads)
        made.update(nodes[position].makes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q>y", r"Op 'n0' \(m\): expected inputs that the model has, got 'q'\. Valid: x, y\."),
        ("x>a", r"output 'y' \(m\): expected a tensor that a node makes, got none of that name"),
        ("x>y, x>y", r"tensor 'y' \(m\): expected a name that is given once, got two: Op 'n0' and Op 'n1'"),
        ("x>x, x>y", r"tensor 'x' \(m\): .*got two: an input or initializer and Op 'n0'"),
        ("b>a, a>b, x>y", r"m: expected nodes in an order that can run, got a circle: Op 'n1' → Op 'n0'"),
        ("y>y", r"a circle: Op 'n0'\."),
        ("e>a,a>b,b>c,c>d,d>e,x>y", r"a circle: Op 'n.' → Op 'n.' → Op 'n.' → Op 'n.' → …\. Check"),
    ],
)
def test_a_model_that_cannot_run_is_told_why(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError, match=message):
        order(wires(text), ["x"], ["y"], "m")


def test_an_input_given_twice_is_told() -> None:
    with pytest.raises(TexelscopeError, match=r"tensor 'x' \(m\): .*got two: inputs and initializers"):
        order(wires("x>y"), ["x", "x"], ["y"], "m")


def test_ten_thousand_nodes_are_ordered_at_once() -> None:
    nodes = [NodeWires(f"n{i}", (f"t{i}",), (f"t{i + 1}",)) for i in reversed(range(10_000))]
    assert order(nodes, ["t0"], ["t10000"], "m") == list(range(9_999, -1, -1))
