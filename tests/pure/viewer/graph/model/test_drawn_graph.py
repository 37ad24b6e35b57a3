"""Tests the graph that is drawn of a plan."""

from __future__ import annotations

from tests.scoped_network import scoped_network
from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.viewer.graph.model.drawn_graph import drawn_graph, plan_scopes, title_of
from texelscope.viewer.graph.model.folding import Folds


def test_a_plan_of_few_passes_is_drawn_whole() -> None:
    plan = pipeline.plan_of(one_convolution())
    scopes = plan_scopes(plan)
    graph = drawn_graph(plan, scopes, Folds().of(scopes))
    assert [box.key for box in graph.boxes] == ["image", "conv1", "relu1"]
    assert graph.labels == ("1×3×8×8", "1×4×8×8")
    assert graph.index_of("relu1") == 2
    assert graph.index_of("nothing") is None


def test_a_plan_of_600_passes_opens_as_its_stages_and_unfolds() -> None:
    plan = pipeline.plan_of(scoped_network())
    scopes = plan_scopes(plan)
    folded = drawn_graph(plan, scopes, Folds().of(scopes))
    assert [title_of(box) for box in folded.boxes] == ["x", *(f"stage{number}" for number in range(1, 7))]
    assert folded.kinds[folded.boxes[1].key] == "40 Add, 20 Relu, 20 Mul, 20 Tanh"
    assert folded.labels[1] == "1×4×8×8", "of the only tensor that goes from stage to stage"
    assert folded.index_of("stage2/block7/act") == 2
    whole = drawn_graph(plan, scopes, frozenset())
    assert len(whole.boxes) == 601
    assert len(whole.labels) == len(whole.layout.edges) == 720
