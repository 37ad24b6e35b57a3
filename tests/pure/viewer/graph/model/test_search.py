"""Tests how layers of a graph are found by words."""

from __future__ import annotations

from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.viewer.graph.model.node_details import all_details
from texelscope.viewer.graph.model.search import GraphSearch, next_of, texts_of


def test_a_layer_is_found_by_name_operator_shape_attribute_and_weight_together() -> None:
    plan = pipeline.plan_of(one_convolution())
    search = GraphSearch(texts_of(plan, all_details(plan)))
    for words in ("conv1", "CONV", "1×4×8×8 conv", "pads 1", "4×3×3×3"):
        assert search.found(words) == ("conv1",), words
    assert search.found("8×8") == ("image", "conv1", "relu1")
    assert search.found("conv relu") == ()
    assert search.found("  ") == ()


def test_the_next_of_what_is_found_goes_round_in_both_directions() -> None:
    found = ("a", "b", "c")
    assert [next_of(found, selected, 1) for selected in (None, "a", "c", "z")] == ["a", "b", "a", "a"]
    assert [next_of(found, selected, -1) for selected in (None, "a", "c")] == ["c", "c", "b"]
