"""Traces that the stepper takes of the open target: of what runs now, as far as one steps, with what is watched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from tests.gl.step_trace.one_pass import main_of, one_pass
from tests.gl.viewer.document.test_document import finish, opened_on
from texelscope.pipeline.step_trace import recorder
from texelscope.viewer.debugger.model import taking
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog

pytestmark = pytest.mark.usefixtures("both_logs")

TEXT = main_of(
    "    float sum = 0.0;\n"
    "    for (int i = 0; i < 40; i++)\n"
    "        sum += u_scale * texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r;\n"
    "    result = vec4(sum);"
)
LINE = ("y.frag", 8)


@pytest.fixture
def document(gl: moderngl.Context, tmp_path: Path) -> Iterator[Document]:
    one_pass(tmp_path, gl, TEXT).release()
    opened = opened_on(gl, tmp_path / "pipeline.toml", MessageLog())
    yield opened
    opened.close()


@pytest.fixture
def stepping(document: Document) -> Stepping:
    """Stands at the first step of the element 7 of the pass."""
    found = Stepping()
    taking.begin(found, document, "y", 7)
    return found


def caught_up(stepping: Stepping, document: Document) -> int:
    """Counts the recordings until no more were wanted."""
    count = 0
    while taking.keep_up(stepping, document):
        count += 1
        assert count < 20
    return count


def test_a_trace_is_of_what_runs_now(document: Document, stepping: Stepping, tmp_path: Path) -> None:
    assert stepping.trace is not None
    assert document.session is not None
    assert stepping.trace.outputs["result"][0] == document.session.tensor("y").reshape(-1)[7]
    assert caught_up(stepping, document) == 0
    stepping.to_step(30)
    before = stepping.trace.outputs["result"][0]
    (tmp_path / "y.frag").write_text(TEXT.replace("vec4(sum)", "vec4(-sum)"), encoding="utf-8")
    document.reload()
    assert not taking.keep_up(stepping, document), "not before the pass has run"
    assert stepping.is_stale
    finish(document)
    assert caught_up(stepping, document) == 1
    assert stepping.trace.outputs["result"][0] == -before
    assert (stepping.at, stepping.is_stale) == (30, False)


def test_what_runs_on_and_on_is_told_of_as_old(document: Document, stepping: Stepping) -> None:
    document.run.continuous = True
    document.run_stale()
    assert caught_up(stepping, document) == 0
    assert stepping.is_stale
    document.run.continuous = False
    finish(document)
    assert caught_up(stepping, document) == 1
    assert not stepping.is_stale


def test_a_condition_is_recorded_and_found_in_a_later_window(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "WINDOW", 30)
    stepping = Stepping()
    taking.begin(stepping, document, "y", 7)
    stepping.breakpoints = {LINE: "i == 33"}
    assert caught_up(stepping, document) == 1
    stepping.to_breakpoint()
    assert caught_up(stepping, document) > 1
    assert stepping.step is not None
    assert stepping.step.turns == (33,)
    assert {each.name: each.value for each in stepping.variables()}["i"] == (33,)
    stepping.to_start()
    caught_up(stepping, document)
    assert stepping.at == 0
    stepping.to_end()
    caught_up(stepping, document)
    assert stepping.trace is not None
    assert stepping.at == stepping.trace.total
    stepping.back_over()
    assert stepping.step.text.startswith("result = ")


def test_a_condition_that_is_no_glsl_is_refused_once(document: Document, stepping: Stepping) -> None:
    stepping.breakpoints = {LINE: "i == "}
    assert caught_up(stepping, document) == 1
    assert stepping.trace is not None
    assert "i == " in stepping.trace.refused


def test_without_the_target_there_is_nothing_to_step_through(document: Document, stepping: Stepping) -> None:
    document.close_session()
    assert taking.keep_up(stepping, document)
    assert not stepping.is_on
    assert stepping.of is None


def test_a_problem_is_told_and_not_asked_for_again(document: Document, stepping: Stepping) -> None:
    taking.begin(stepping, document, "y", 10_000)
    assert stepping.problem
    assert not stepping.is_on
    assert caught_up(stepping, document) == 0
