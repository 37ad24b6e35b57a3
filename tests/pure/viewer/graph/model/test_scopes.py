"""Tests how scopes are read out of names."""

from __future__ import annotations

import pytest

from texelscope.viewer.graph.model.scopes import MOST_LEVELS, LayerScopes, last_part, prefixes, scopes_of


@pytest.mark.parametrize(
    ("name", "scopes"),
    [
        ("conv1", ()),
        ("encoder/block1/conv", ("encoder", "encoder/block1")),
        ("/layer1/layer1.0/conv/Conv", ("/layer1", "/layer1/layer1.0", "/layer1/layer1.0/conv")),
        ("encoder.block1.conv", ("encoder", "encoder.block1")),
        ("encoder::conv", ("encoder",)),
        ("input.7", ()),
        ("a//b/", ("a",)),
        ("", ()),
        ("///", ()),
    ],
)
def test_a_name_lies_in_all_its_beginnings(name: str, scopes: tuple[str, ...]) -> None:
    assert prefixes(name) == scopes


def test_a_name_of_many_parts_has_few_levels() -> None:
    assert len(prefixes("a/" * 5000 + "b")) == MOST_LEVELS


def test_a_scope_is_worth_a_box_if_it_has_several_layers_but_not_those_of_another_nor_all() -> None:
    names = ["x", "net/a/in/conv", "net/a/in/relu", "net/b/one/conv", "net/b/add"]
    found = scopes_of(names, inputs=["x"])
    assert found.chains == {
        "x": (),
        "net/a/in/conv": ("net/a/in",),
        "net/a/in/relu": ("net/a/in",),
        "net/b/one/conv": ("net/b",),
        "net/b/add": ("net/b",),
    }
    assert found.depth == 1


def test_backward_passes_have_scopes_of_their_own() -> None:
    names = ["a/conv", "a/relu", "a/conv.grad", "a/relu.grad", "end"]
    chains = scopes_of(names, backward=names[2:4]).chains
    assert chains["a/conv"] == ("a",)
    assert chains["a/conv.grad"] == ("∂ a",)


def two_levels() -> LayerScopes:
    """Three outer scopes of 4 inner ones of 5 layers, and an input."""
    names = [f"s{i}/b{j}/n{k}" for i in range(3) for j in range(4) for k in range(5)]
    return scopes_of(["x", *names], inputs=["x"])


def test_folding_to_a_depth_gives_so_many_boxes() -> None:
    scopes = two_levels()
    assert [scopes.count_at(depth) for depth in (1, 2, 3)] == [4, 13, 61]
    assert scopes.folded_to(2) == {f"s{i}/b{j}" for i in range(3) for j in range(4)}
    assert scopes.folded_to(3) == frozenset()


@pytest.mark.parametrize(("most", "depth"), [(100, 3), (40, 2), (5, 1), (2, 1)])
def test_a_graph_is_folded_no_further_than_to_be_readable(most: int, depth: int) -> None:
    assert two_levels().readable_depth(most) == depth


def test_scopes_that_hardly_make_a_graph_smaller_are_left_open() -> None:
    names = ["a/one", "a/two", *(f"n{i}" for i in range(60))]
    assert scopes_of(names).readable_depth(40) == 2
    assert LayerScopes().readable_depth(1) == 1
    assert LayerScopes().folded_to(1) == frozenset()


def test_the_last_part_of_a_name_is_no_number() -> None:
    assert [last_part(name) for name in ("a/b/conv", "a.b", "input.7", "plain", "a/")] == [
        "conv", "b", "input.7", "plain", "a/",
    ]  # fmt: skip
