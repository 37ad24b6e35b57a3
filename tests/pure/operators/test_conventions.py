"""Whose definition of an operator holds: as an argument, in a pipeline file, from the model to the oracle."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import helper

from tests.ported_lrn import lrn_model, ported
from texelscope import pipeline
from texelscope.pipeline.commands.arguments import parse_conventions
from texelscope.pipeline.compare.convention_fits import node_with_choice
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.operators.conventions import convention_of, readings, with_conventions, with_only
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions


def convention(plan: Plan) -> str:
    assert plan.graph is not None
    return convention_of(plan.graph.nodes[0])


def test_an_argument_names_operator_and_convention() -> None:
    assert parse_conventions(["LRN=ncnn", "LRN=tensorflow"]) == {"LRN": "tensorflow"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "tensorflow",
            r"expected OPERATOR=NAME, as LRN=tensorflow, got 'tensorflow'\. 'texelscope list' shows the names",
        ),
        ("LRN=pytroch", r"LRN: expected a convention that is known, got 'pytroch'\. Did you mean 'pytorch'\?"),
        ("LNR=onnx", r"expected an operator that frameworks define differently, got 'LNR'\. Did you mean 'LRN'\?"),
    ],
)
def test_an_argument_that_names_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError, match=message):
        parse_conventions([text])


def test_parameters_that_a_node_leaves_out_are_those_of_the_specification() -> None:
    model = lrn_model()
    del model.graph.node[0].attribute[:]
    model.graph.node[0].attribute.append(helper.make_attribute("size", 5))
    graph = pipeline.plan_of(model, conventions={"LRN": "tensorflow"}).graph
    assert graph is not None
    form = readings(graph.nodes[0])["tensorflow"]
    assert (form.window, form.scale, form.exponent, form.bias) == pytest.approx((5, 1e-4, 0.75, 1.0))


def test_a_graph_that_follows_already_stays_the_same_object() -> None:
    graph = pipeline.plan_of(lrn_model(), conventions={"LRN": "ncnn"}).graph
    assert graph is not None
    assert with_conventions(graph, {"LRN": "ncnn"}) is graph
    assert convention_of(with_only(graph, {}).nodes[0]) == "onnx"


def test_a_pipeline_file_says_whose_definition_its_model_follows(tmp_path: Path) -> None:
    eject(lrn_model(), tmp_path, OpenOptions(conventions={"LRN": "pytorch"}))
    path = tmp_path / "pipeline.toml"
    assert 'conventions = { LRN = "pytorch" }' in path.read_text(encoding="utf-8").splitlines()
    assert convention(pipeline.plan_of(path)) == "pytorch"
    assert convention(pipeline.plan_of(path, conventions={"LRN": "ncnn"})) == "ncnn"


def test_a_convention_that_a_shape_does_not_allow_can_be_left_again() -> None:
    model = lrn_model()
    for value in (*model.graph.input, *model.graph.output):
        del value.type.tensor_type.shape.dim[3:]
    plan = pipeline.plan_of(model, conventions={"LRN": "caffe_within"})
    assert "expected an input of N, C, H, W for a window over the picture" in plan.not_run[0].reason
    node = node_with_choice(plan, "norm1")
    assert node is not None
    assert convention_of(node) == "caffe_within"
    assert node_with_choice(plan, "relu1") is None


def test_a_pipeline_file_that_says_nothing_follows_onnx(tmp_path: Path) -> None:
    assert convention(pipeline.plan_of(ported(tmp_path))) == "onnx"
