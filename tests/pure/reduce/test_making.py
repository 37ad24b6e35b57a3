"""A subject becomes a folder: its part of the model is sound, and what cannot stand alone says why."""

from __future__ import annotations

import dataclasses

import numpy as np
import onnx
import pytest

from tests.pure.models import IMAGE, array, model, node
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import OWN_DOMAIN
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.reduce.making import OfModel, making_of
from texelscope.pipeline.resizing.model_part import part_of
from texelscope.pipeline.resizing.subject import PassSubject, cut_out


def relu() -> PassSubject:
    plan = pipeline.plan_of(model([node("Relu", "x", "y", "act")]))
    tensors = {"x": np.zeros(IMAGE, np.float32)}
    return cut_out(plan, tensors, plan.passes[0], plan.passes[0].program)


def test_the_part_of_a_model_is_a_model_of_its_own_with_its_types() -> None:
    part = part_of(relu())
    message = onnx.load_from_string(part.message)
    onnx.checker.check_model(message)
    assert [each.name for each in message.graph.node] == ["act"]
    assert part.shapes == {"x": IMAGE, "y": IMAGE}


def test_a_generated_shader_is_made_anew_for_the_shapes_of_the_values() -> None:
    each = relu()
    smaller = each.with_values({"x": np.zeros((1, 1, 2, 5), np.float32)})
    (written,) = OfModel(each).folders(smaller)
    assert "act makes" not in written.files["shader.frag"]
    assert "makes y: 1 x 1 x 2 x 5 in channel_tiles" in str(written.files["shader.frag"])
    assert "shape = [1, 1, 2, 5]" in str(written.files["pipeline.toml"])


def test_a_node_that_only_this_program_knows_cannot_be_cut_out() -> None:
    each = relu()
    own = dataclasses.replace(each, nodes=(dataclasses.replace(each.nodes[0], domain=OWN_DOMAIN),))
    with pytest.raises(TexelscopeError, match=r"'act': expected a node of one opset that ONNX has, got one of 'texel"):
        part_of(own)


def test_nodes_of_two_opsets_cannot_be_cut_out() -> None:
    each = relu()
    other = dataclasses.replace(each.nodes[0], name="b", opset=6)
    with pytest.raises(TexelscopeError, match=r"got one of '' 17. It cannot be cut out: pass on the whole model"):
        part_of(dataclasses.replace(each, nodes=(each.nodes[0], other)))


def test_a_tensor_that_nothing_makes_is_told() -> None:
    each = relu()
    stored = {"x": dataclasses.replace(each.stored["x"], tensor="z"), "y": each.stored["y"]}
    with pytest.raises(TexelscopeError, match=r"pass 'act': expected 'z' in its part of the model, got none"):
        part_of(dataclasses.replace(each, stored=stored))


def test_an_empty_tensor_is_no_candidate() -> None:
    each = relu()
    empty = each.with_values({"x": np.zeros((1, 0, 2, 5), np.float32)})
    assert not OfModel(each).is_valid(empty)


def test_a_pass_without_an_oracle_cannot_stand_alone() -> None:
    each = dataclasses.replace(relu(), nodes=())
    plan = pipeline.plan_of(model([node("Relu", "x", "y", "act")]))
    with pytest.raises(TexelscopeError, match=r"pass 'act': expected a part of a model that it stands for, got none"):
        making_of(each, plan)


def test_a_pass_of_a_rewritten_node_stands_for_the_node_and_brings_what_its_other_passes_made() -> None:
    made = model(
        [node("InstanceNormalization", "x s b", "y", "norm")], weights={"s": array(3), "b": array(3)}
    )  # fmt: skip
    plan = pipeline.plan_of(made)
    each = plan.passes[-1]
    x = np.random.default_rng(0).standard_normal(IMAGE).astype(np.float32)
    tensors = {"x": x}
    subject = cut_out(plan, tensors, each, each.program, lambda: load(made))
    assert [found.op_type for found in subject.nodes] == ["InstanceNormalization"]
    assert subject.given == ("x",)
    part = part_of(subject)
    means = [value for name, value in part.derived.items() if "mean" in name]
    assert np.allclose(means[0].ravel(), x.mean(axis=(0, 2, 3)), atol=1e-6)
    making = OfModel(subject)
    assert making.is_valid(subject)
    (written,) = making.folders(subject)
    assert len(written.arrays) == 3


def test_a_convention_travels_with_its_node() -> None:
    made = model([node("LRN", "x", "y", "lrn", size=3)])
    chosen = {"LRN": "tensorflow"}
    plan = pipeline.plan_of(made, conventions=chosen)
    each = plan.passes[-1]
    tensors = {"x": np.ones(IMAGE, np.float32)}
    subject = cut_out(plan, tensors, each, each.program, lambda: load(made), chosen)
    (written,) = OfModel(subject).folders(subject)
    assert 'conventions = { LRN = "tensorflow" }' in str(written.files["pipeline.toml"])
    assert onnx.load_from_string(part_of(subject).message).graph.node[0].op_type == "LRN"
