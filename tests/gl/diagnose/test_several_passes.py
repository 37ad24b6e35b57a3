"""Several wrong passes in one report: one of each shader first, and those that time leaves out are said to be."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults import models
from texelscope import pipeline
from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose import naming
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs
from texelscope.pipeline.errors import TexelscopeError


def session_of(gl: moderngl.Context) -> DebugSession:
    """Two branches, p = tanh x and q = leaky x, each wrong by a factor; r and s convolve them."""
    model = models.branches()
    session = pipeline.open(model.proto, layout="channel_tiles", context=gl)
    session.set_input("x", model.inputs["x"])
    for name in ("p", "q", "r"):
        text = session.program_source(name).fragment
        old = "return sum;" if name == "r" else "return unary(X(at));"
        assert text.count(old) == 1
        session.replace_shader(name, text.replace(old, old.replace("return ", "return 0.5 * ")))
    session.run()
    return session


def test_every_wrong_pass_is_named(gl: moderngl.Context) -> None:
    with session_of(gl) as session:
        report = session.compare()
    named = {each.name: each.findings[0].cause for each in report.passes if each.findings}
    assert named == {"p": "scale", "q": "scale", "r": "scale"}


def test_passes_that_time_leaves_out_are_said_to_be(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "FURTHER_SECONDS", -1.0)
    with session_of(gl) as session:
        report = session.compare()
    messages = {each.name: each.message for each in report.passes if each.verdict == "mismatch"}
    assert messages["p"] == ""
    assert messages["q"] == messages["r"] == "Not diagnosed: the passes before it took longer than -1 s."
    assert report.undiagnosed == ("q", "r")


def test_the_first_of_each_shader_comes_before_the_next_of_the_same(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def noted(_session: object, _comparer: object, _capture: object, name: str, **_how: object) -> Diagnosis:
        asked.append(name)
        return Diagnosis(())

    monkeypatch.setattr(naming, "diagnose", noted)
    with session_of(gl) as session:
        text = session.program_source("p").fragment
        session.replace_shader("q", text)
        session.run()
        session.compare()
    assert asked == ["p", "r", "q"]


def asked_for(gl: moderngl.Context, asked: DiagnosisRequest) -> Report:
    with session_of(gl) as session:
        capture, comparer = session.capture(), Comparer(session.plan)
        return name_bugs(session, comparer, capture, comparer.compare(capture), asked)


def test_a_pass_is_diagnosed_when_it_is_asked_for_and_no_other(gl: moderngl.Context) -> None:
    report = asked_for(gl, DiagnosisRequest(("r", "s"), 0.0))
    assert {each.name for each in report.passes if each.findings} == {"r"}
    right = report.find("s")
    assert right is not None
    assert right.message == "It was to be diagnosed, and nothing is wrong with it."
    assert report.undiagnosed == ("p", "q")
    assert render(report).endswith(
        "Not diagnosed: 'p' and 1 more. --diagnose p asks for one, whatever it takes; --diagnose-seconds 60 gives all "
        "of them more time."
    )


def test_no_time_is_no_diagnosis(gl: moderngl.Context) -> None:
    report = asked_for(gl, DiagnosisRequest(seconds=0.0))
    assert [each.findings for each in report.passes] == [()] * len(report.passes)
    assert report.undiagnosed == ("p", "q", "r")


def test_the_name_of_no_pass_is_refused(gl: moderngl.Context) -> None:
    with pytest.raises(TexelscopeError, match=r"pass 'pp': expected a pass of the plan, got another name\. "):
        asked_for(gl, DiagnosisRequest(("pp",)))
