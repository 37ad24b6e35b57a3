"""Runs of everything, again and again: forms take the place of passes one by one, and every tensor is what it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tests.gl.viewer.document.test_document import finish, opened_on
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.lowering_runner import LoweringRunner
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING, Tuning
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog

FIRST, SECOND = ("c1", "a1", "both", "y"), ("c2", "both", "y")
NAMES = ("c1", "a1", "c2", "both", "y")


def model() -> onnx.ModelProto:
    """Two convolutions whose results stand beside each other: two forms have a part in what follows."""
    random = np.random.default_rng(0)
    weights = {name: random.normal(size=(4, 4, 3, 3)).astype(np.float32) for name in ("w1", "w2")}
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], name="c1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["a1"], name="a1"),
        helper.make_node("Conv", ["a1", "w2"], ["c2"], name="c2", pads=[1, 1, 1, 1]),
        helper.make_node("Concat", ["a1", "c2"], ["both"], name="both", axis=1),
        helper.make_node("Relu", ["both"], ["y"], name="y"),
    ]
    graph = helper.make_graph(
        nodes,
        "beside",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 6, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture
def document(gl: moderngl.Context, tmp_path: Path) -> Iterator[Document]:
    """The model, opened and run as often as each pass runs alone."""
    onnx.save(model(), tmp_path / "beside.onnx")
    opened = opened_on(gl, tmp_path / "beside.onnx", MessageLog())
    again(opened, RUNS_BEFORE_TUNING - 1)
    assert opened.run.steps is None
    yield opened
    opened.close()


def again(document: Document, times: int = 1) -> None:
    for _ in range(times):
        document.run.everything()
        finish(document)


def tensors(document: Document) -> dict[str, NDArray[np.float32]]:
    assert document.session is not None
    assert all(document.session.has_run(name) for name in NAMES)
    return {name: document.session.tensor(name) for name in NAMES}


def by_forms(document: Document) -> list[tuple[str, ...]]:
    """Returns what the forms of the last run cover, as far as no pass ran alone after them."""
    found = document.run.steps.forms if document.run.steps is not None else {}
    return sorted({tuple(name for name in form.covers if name in found) for forms in found.values() for form in forms})


def test_each_run_takes_one_more_form_and_every_tensor_is_there(document: Document) -> None:
    before = tensors(document)
    seen = []
    for _ in range(3):
        again(document)
        seen.append(by_forms(document))
        for name, values in tensors(document).items():
            np.testing.assert_allclose(values, before[name], rtol=1e-5, atol=1e-5, err_msg=name)
    assert seen == [[("c1", "a1")], [FIRST, SECOND], [FIRST, SECOND]]
    assert document.run.groups is None, "nothing is inside of a form"
    assert not any(document.run.is_inside(name) for name in NAMES)
    assert document.run.position == len(NAMES)


def test_verdicts_and_what_they_are_of(document: Document) -> None:
    again(document, 2)
    document.update()
    while document.comparing.job is not None or not document.settled:
        document.update()
    comparison = document.comparison
    assert comparison is not None
    assert {each.verdict for each in comparison.report.passes} == {"match"}
    assert comparison.capture.runs_as["a1"].startswith("together with c1, both, y, ")
    assert comparison.capture.gpu_ms == dict.fromkeys(NAMES), "no pass was timed in this run"
    form = document.run.form_of("c2")
    assert form is not None
    assert form.covers == SECOND


def test_times_are_taken_pass_by_pass_when_somebody_wants_them(document: Document) -> None:
    assert document.session is not None
    assert not document.run.untimed
    again(document, 2)
    assert document.run.untimed == set(NAMES)
    known = {name: document.session.gpu_ms(name) for name in NAMES}
    again(document)
    assert {name: document.session.gpu_ms(name) for name in NAMES} == known, "as they were"
    document.run.wants_times = True
    again(document)
    assert (document.run.steps, document.run.untimed) == (None, set())
    assert {name: document.session.gpu_ms(name) for name in NAMES} != known
    again(document)
    assert by_forms(document) == [FIRST, SECOND], "asked for once"
    document.run.on_from(3)
    finish(document)
    assert document.run.untimed == set(NAMES[:3]), "what ran alone since is timed"


def test_of_a_run_in_forms_no_time_is_told(document: Document) -> None:
    assert document.session is not None
    again(document)
    assert by_forms(document) == [("c1", "a1")], "the other passes ran alone, untimed"
    assert document.run.as_run(document.session.capture()).gpu_ms == dict.fromkeys(NAMES)


def test_only_forms_that_run_are_tuned(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []
    monkeypatch.setattr(Tuning, "attempt", lambda _self, form, *_rest: tried.append(form.covers))
    again(document, 3)
    assert set(tried) == {FIRST, SECOND}, "and none of a pass alone"


def test_an_injected_value_keeps_passes_alone(document: Document) -> None:
    assert document.session is not None
    again(document, 2)
    document.session.inject("c2", np.zeros(document.session.plan.textures["c2"].shape))
    again(document)
    assert document.run.steps is None


def test_what_rounds_where_it_is_stored_stays_apart(gl: moderngl.Context, tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "beside.onnx")
    opened = opened_on(gl, tmp_path / "beside.onnx", MessageLog())
    opened.reopen(precision="float16")
    while opened.opening:
        opened.update()
    opened.update()
    finish(opened)
    again(opened, RUNS_BEFORE_TUNING + 2)
    assert opened.run.steps is None
    opened.close()


def test_an_edited_shader_leaves_its_form_and_the_others_are_taken_anew(document: Document) -> None:
    assert document.session is not None
    again(document, 2)
    text = document.session.program_source("c2").fragment
    document.session.replace_shader("c2", text)
    again(document, 2)
    assert all("c2" not in covers for covers in by_forms(document))
    assert document.run.form_of("c2") is None
    assert tensors(document)["y"].any()


def test_a_form_that_the_driver_refuses_leaves_its_passes_alone(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = LoweringRunner.prepare

    def refusing(self: LoweringRunner, form: Lowering, *rest: object) -> None:
        if form.covers[0] == "c1" and len(form.covers) > 1:
            raise ShaderError("c1.frag", 1, "too long")
        whole(self, form, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(LoweringRunner, "prepare", refusing)
    before = tensors(document)
    again(document, 3)
    assert not document.run.untimed or all("c1" not in covers for covers in by_forms(document))
    for name, values in tensors(document).items():
        np.testing.assert_allclose(values, before[name], rtol=1e-5, atol=1e-5)


def test_a_form_whose_input_is_missing_lets_passes_run_as_far_as_they_can(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert document.session is not None
    again(document, 2)
    document.session.invalidate("c1")
    monkeypatch.setattr(Session, "run_item", lambda *_, **__: False)
    monkeypatch.setattr(Session, "run_pass", lambda *_, **__: False)
    document.run.everything()
    finish(document)
    assert document.run.steps is None
    assert not document.run.is_under_way


def test_a_slow_model_runs_in_slices_and_a_fast_one_waits_for_the_gpu_once(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert document.session is not None
    again(document, 2)
    waits: list[int] = []
    monkeypatch.setattr(document.session, "finish", lambda: waits.append(document.run.position))
    document.run.milliseconds = 1.0
    document.run.everything()
    document.run.advance(1000.0)
    assert waits == [len(NAMES)], "handed over as a whole"
    waits.clear()
    document.run.milliseconds = 60000.0
    document.run.everything()
    slices = 0
    while document.run.is_under_way:
        document.run.advance(0.0)
        slices += 1
    assert slices == 2, "a form is the smallest step"
    assert len(waits) >= slices
