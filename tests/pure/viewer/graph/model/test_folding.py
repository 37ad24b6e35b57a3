"""Tests how a graph is folded by scopes: which boxes there are, what they read, and that folds stay."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texelscope.viewer import theme
from texelscope.viewer.graph.model.folding import (
    MOST_READABLE,
    WORST_FIRST,
    Folds,
    count_words,
    fold,
    is_wrong,
    worst,
)
from texelscope.viewer.graph.model.graph_layout import layered
from texelscope.viewer.graph.model.scopes import scopes_of

NAMES = ["x", "enc/a/conv", "enc/a/relu", "enc/b/conv", "enc/b/relu", "dec/conv", "dec/join"]
READS = {
    "enc/a/conv": ["x", "weight"],
    "enc/a/relu": ["enc/a/conv"],
    "enc/b/conv": ["enc/a/relu"],
    "enc/b/relu": ["enc/b/conv"],
    "dec/conv": ["enc/b/relu"],
    "dec/join": ["dec/conv", "enc/a/relu", "enc/b/relu"],
}
SCOPES = scopes_of(NAMES, inputs=["x"])


def test_a_folded_box_reads_what_its_layers_read_and_is_read_where_they_are() -> None:
    graph = fold(NAMES, READS, SCOPES, frozenset({"enc", "dec"}))
    assert list(graph.boxes) == ["x", "enc …", "dec …"]
    assert graph.boxes["enc …"].members == ("enc/a/conv", "enc/a/relu", "enc/b/conv", "enc/b/relu")
    assert graph.boxes["enc …"].scope == "enc"
    assert graph.reads == {"enc …": ("x",), "dec …": ("enc …",)}
    assert graph.crossing["enc …", "dec …"] == ("enc/b/relu", "enc/a/relu")
    assert graph.holders["enc/b/conv"] == "enc …"


def test_an_unfolded_scope_shows_the_scopes_in_it_folded_as_they_were() -> None:
    folds = Folds(frozenset({"enc", "enc/a", "dec"})).unfolded(SCOPES, "enc")
    graph = fold(NAMES, READS, SCOPES, folds.of(SCOPES))
    assert list(graph.boxes) == ["x", "enc/a …", "enc/b/conv", "enc/b/relu", "dec …"]


def test_a_box_has_another_key_than_a_layer_of_that_name() -> None:
    names = ["a …", "a/one", "a/two"]
    graph = fold(names, {}, scopes_of(names), frozenset({"a"}))
    assert list(graph.boxes) == ["a …", "a … …"]


def test_boxes_that_read_each_other_are_both_there_and_the_first_is_first() -> None:
    names = ["a/one", "between", "a/two", "end"]
    reads = {"between": ["a/one"], "a/two": ["between"], "end": ["a/two"]}
    graph = fold(names, reads, scopes_of(names), frozenset({"a"}))
    assert list(graph.boxes) == ["a …", "between", "end"]
    layout = layered(tuple(graph.boxes), graph.reads)
    spans = {(edge.source, edge.target): edge.span for edge in layout.edges}
    assert spans == {("a …", "between"): 1, ("a …", "end"): 1, ("between", "a …"): -1}


def test_a_box_follows_what_it_reads_though_its_first_layer_comes_before() -> None:
    names = ["a/one", "other", "a/two"]
    graph = fold(names, {"a/two": ["other"]}, scopes_of(names), frozenset({"a"}))
    assert list(graph.boxes) == ["other", "a …"]


def test_nothing_folded_is_the_graph_as_it_was() -> None:
    graph = fold(NAMES, READS, SCOPES, frozenset())
    assert list(graph.boxes) == NAMES
    assert graph.reads == {name: tuple(each for each in sources if each != "weight") for name, sources in READS.items()}


def test_the_key_unfolds_from_outside_and_then_folds_the_innermost_scope() -> None:
    folds = Folds(frozenset({"enc", "enc/a"}))
    steps = []
    for _ in range(4):
        folds = folds.toggled(SCOPES, "enc/a/relu")
        steps.append(folds.of(SCOPES))
    assert steps == [{"enc/a"}, frozenset(), {"enc/a"}, frozenset()]
    assert Folds(frozenset({"enc"})).toggled(SCOPES, "x").of(SCOPES) == {"enc"}


def test_what_is_searched_has_a_box_of_its_own_and_nothing_else_is_unfolded() -> None:
    folds = Folds(frozenset({"enc", "enc/a", "enc/b", "dec"})).opened_for(SCOPES, "enc/a/relu")
    assert folds.of(SCOPES) == {"enc/b", "dec"}


def test_folds_hold_for_the_graph_that_is_read_again() -> None:
    folds = Folds(frozenset({"enc/a", "gone"}))
    again = scopes_of([*NAMES, "dec/new"], inputs=["x"])
    assert folds.of(again) == {"enc/a"}


def test_a_small_graph_opens_unfolded_and_a_large_one_folded() -> None:
    assert Folds().of(SCOPES) == frozenset()
    names = [f"block{i}/n{j}" for i in range(30) for j in range(20)]
    large = scopes_of(names)
    graph = fold(names, {}, large, Folds().of(large))
    assert len(graph.boxes) == 30
    assert len(graph.boxes) <= MOST_READABLE


def test_every_sign_has_its_rank_and_the_worst_is_shown() -> None:
    assert set(WORST_FIRST) == theme.SIGNS.keys()
    assert worst(["match", "mismatch", "inherited"]) == "mismatch"
    assert worst([]) == "not_run"
    assert [sign for sign in WORST_FIRST if is_wrong(sign)] == [
        "error", "nan", "unwritten", "mismatch", "not_its_meaning",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("signs", "words"),
    [(["match"] * 12, "12 passes"), (["match", "mismatch", "nan", "inherited"], "4 passes, 2 wrong")],
)
def test_a_box_tells_how_many_passes_are_in_it_and_how_many_are_wrong(signs: list[str], words: str) -> None:
    assert count_words(signs) == words


@given(st.data())
def test_every_layer_is_in_one_box_and_every_edge_between_boxes_is_kept(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.from_regex(r"[ab](/[ab]){0,3}\Z"), max_size=12, unique=True))
    reads = {
        name: data.draw(st.lists(st.sampled_from(names[:number]), max_size=3)) if number else []
        for number, name in enumerate(names)
    }
    scopes = scopes_of(names)
    folded = data.draw(st.sets(st.sampled_from([*scopes.levels] or [""])))
    graph = fold(names, reads, scopes, frozenset(folded))
    inside = list(itertools.chain.from_iterable(box.members for box in graph.boxes.values()))
    assert sorted(inside) == sorted(names)
    wanted = {(graph.holders[source], graph.holders[name]) for name in names for source in reads[name]}
    layout = layered(tuple(graph.boxes), graph.reads)
    assert {(edge.source, edge.target) for edge in layout.edges} == {pair for pair in wanted if pair[0] != pair[1]}
    assert len({(cell.rank, cell.row) for cell in layout.cells}) == len(graph.boxes)
