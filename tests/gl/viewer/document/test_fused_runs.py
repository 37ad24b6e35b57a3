"""Fused runs of the open target: what they leave inside, what opens it, and that nothing stale is taken for theirs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.gl.viewer.document.test_document import finish, opened_on
from texelscope.pipeline.gl import session_lowerings
from texelscope.pipeline.gl.context import limits_of
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog

INSIDE = {"c1", "c2"}


def model() -> onnx.ModelProto:
    """Returns two convolutions with an activation each."""
    weights = {"w1": (4, 4, 3, 3), "w2": (4, 4, 1, 1)}
    random = np.random.default_rng(0)
    arrays = {name: random.normal(size=shape).astype(np.float32) for name, shape in weights.items()}
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], name="c1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["a1"], name="a1"),
        helper.make_node("Conv", ["a1", "w2"], ["c2"], name="c2"),
        helper.make_node("Relu", ["c2"], ["y"], name="y"),
    ]
    graph = helper.make_graph(
        nodes,
        "two",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 6, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture
def log() -> MessageLog:
    return MessageLog()


@pytest.fixture
def document(gl: moderngl.Context, tmp_path: Path, log: MessageLog) -> Iterator[Document]:
    """Returns the model, opened and run pass by pass, then fused."""
    onnx.save(model(), tmp_path / "two.onnx")
    opened = opened_on(gl, tmp_path / "two.onnx", log)
    opened.run.go_fused(fused=True)
    finish(opened)
    yield opened
    opened.close()


def inside(document: Document) -> set[str]:
    return {each.name for each in document.passes if document.run.is_inside(each.name)}


def test_what_an_earlier_run_stored_is_not_shown_as_this_one_s(document: Document) -> None:
    assert document.session is not None
    assert inside(document) == INSIDE
    assert not any(document.session.has_run(name) for name in INSIDE)
    assert document.run.position == len(document.passes)


def test_only_what_is_stored_is_judged(document: Document) -> None:
    comparison = compared(document)
    assert {each.name: each.verdict for each in comparison.report.passes if each.name in INSIDE} == dict.fromkeys(
        INSIDE, "not_compared"
    )
    assert (len(comparison.judged), comparison.verdict) == (2, "match")
    report = comparison.report.find("c1")
    assert report is not None
    assert report.message == "Computed together with a1: a fused run does not store it."
    assert comparison.summary == "Compared: 2 of 2 passes match, 2 inside fused passes."
    assert not comparison.problems


def test_a_pass_that_is_opened_is_stored_from_then_on(document: Document) -> None:
    assert document.session is not None
    document.run.open_up("c2")
    finish(document)
    assert inside(document) == INSIDE - {"c2"}
    document.set_input("x", "ramp")
    finish(document)
    assert inside(document) == INSIDE - {"c2"}
    fused = document.session.tensor("c2")
    document.run.go_fused(fused=False)
    finish(document)
    assert inside(document) == set()
    np.testing.assert_allclose(document.session.tensor("c2"), fused, rtol=1e-5, atol=1e-5)


def test_what_was_opened_is_left_inside_again(document: Document) -> None:
    document.run.open_up("c2")
    document.run.open_up("c2", is_open=False)
    finish(document)
    assert inside(document) == INSIDE


def test_steps_run_pass_by_pass(document: Document) -> None:
    document.run.up_to(2)
    finish(document)
    assert document.session is not None
    assert [document.session.has_run(each.name) for each in document.passes] == [True] * 3 + [False]
    assert inside(document) == set()


def test_an_injected_value_keeps_passes_apart(document: Document) -> None:
    assert document.session is not None
    document.session.inject("c1", np.zeros(document.session.plan.textures["c1"].shape))
    document.run.everything()
    assert document.run.groups is None


def test_a_pass_whose_shader_was_edited_leaves_its_form(document: Document) -> None:
    assert document.session is not None
    document.session.replace_shader("c1", document.session.program_source("c1").fragment)
    document.run.on_from(0)
    finish(document)
    assert inside(document) == INSIDE - {"c1"}
    assert document.run.form_of("c1") is None


def test_a_backend_that_the_driver_has_not_leaves_what_is_open(
    document: Document, log: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert document.session is not None
    without = dataclasses.replace(limits_of(document.session.context), work_groups=None, version=410)
    monkeypatch.setattr(session_lowerings, "limits_of", lambda _context: without)
    before = document.session
    document.reopen(backend="compute")
    while document.opening:
        document.update()
    document.update()
    assert document.session is before
    assert (
        "backend 'compute': expected a driver with compute shaders, OpenGL 4.3 or newer, got OpenGL 4.1. "
        "Take --backend fragment, or auto."
    ) in [entry.text for entry in log.entries]


def test_times_are_those_of_forms(document: Document) -> None:
    assert document.session is not None
    assert document.run.timer_of("c1") == "c1 + a1"
    assert document.run.timer_of("a1") == ""
    assert document.session.gpu_ms("c1 + a1") is not None
    assert compared(document).capture.gpu_ms["c1"] is None


def compared(document: Document) -> Comparison:
    """The comparison of what has run."""
    document.update()
    while document.comparing.job is not None or document.comparison is None or not document.settled:
        document.update()
    assert document.comparison is not None
    return document.comparison
