"""Tests where the scopes of a graph are, and which of them are named from afar."""

from __future__ import annotations

from tests.scoped_network import scoped_network
from texelscope import pipeline
from texelscope.viewer.graph.model.camera import BOX_HEIGHT, STEP_Y
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph, drawn_graph, plan_scopes
from texelscope.viewer.graph.model.spans import ScopeSpan, readable_spans


def drawn(folded: frozenset[str]) -> DrawnGraph:
    """Two stages of three blocks of five passes, behind an input."""
    plan = pipeline.plan_of(scoped_network(2, 3))
    return drawn_graph(plan, plan_scopes(plan), folded)


def test_a_scope_reaches_from_its_first_to_its_last_box() -> None:
    spans = {span.scope: span for span in drawn(frozenset()).spans}
    assert spans["stage1"] == ScopeSpan("stage1", 1, 0.0, STEP_Y, 15 * STEP_Y + BOX_HEIGHT)
    assert spans["stage2/block1"] == ScopeSpan("stage2/block1", 2, 0.0, 16 * STEP_Y, 20 * STEP_Y + BOX_HEIGHT)
    assert len(spans) == 8


def test_what_is_in_a_folded_scope_has_no_span() -> None:
    spans = drawn(frozenset({"stage1", "stage2/block2"})).spans
    assert "stage1/block1" not in {span.scope for span in spans}
    assert {"stage1", "stage2", "stage2/block2"} <= {span.scope for span in spans}


def test_the_innermost_level_that_has_room_is_named() -> None:
    spans = drawn(frozenset()).spans
    of_stage, of_block = spans[0].height, spans[1].height
    assert {span.level for span in readable_spans(spans, of_block)} == {2}
    assert [span.scope for span in readable_spans(spans, of_block + 1.0)] == ["stage1", "stage2"]
    assert readable_spans(spans, of_stage + 1.0) == ()


def test_of_branches_beside_each_other_one_is_named() -> None:
    spans = [ScopeSpan("left", 1, 0.0, 0.0, 100.0), ScopeSpan("right", 1, 0.0, 50.0, 150.0)]
    assert [span.scope for span in readable_spans(spans, 60.0)] == ["left"]
