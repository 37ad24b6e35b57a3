"""Tests the graph's details of a layer: relevant attributes, shapes of weights."""

from __future__ import annotations

from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.viewer.graph.model.node_details import NodeDetails, all_details


def test_a_node_tells_its_attributes_and_the_shapes_of_its_weights() -> None:
    found = all_details(pipeline.plan_of(one_convolution()))["conv1"]
    assert found.weights == (("conv1.weight", "4×3×3×3"), ("conv1.bias", "4"))
    assert found.unusual == (("pads", "1, 1, 1, 1"),), "usual ones, and a kernel's that its weights tell, are left out"
    assert ("group", "1") in found.attributes
    assert "pads 1, 1, 1, 1" in found.lines


def test_an_input_has_no_details() -> None:
    assert all_details(pipeline.plan_of(one_convolution()))["image"] == NodeDetails()
