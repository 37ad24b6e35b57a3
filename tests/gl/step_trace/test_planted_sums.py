"""The term marked in a running sum is the first wrong one: the first turn at which a right shader does otherwise."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.step_trace.planted_sums import PLANTED, SUBJECTS, write
from texelscope import pipeline
from texelscope.pipeline.step_trace.sums import sums
from texelscope.pipeline.step_trace.trace import Trace

Turns = tuple[int, ...]


def added(trace: Trace) -> dict[Turns, list[float]]:
    """Returns, by the turns of the loops, the sum after each addition there."""
    found: dict[Turns, list[float]] = {}
    for step in trace.steps:
        for each in step.assigned:
            if each.name == "sum" and step.turns:
                found.setdefault(step.turns, []).append(float(each.value[0]))
    return found


def first_difference(right: Trace, wrong: Trace) -> Turns:
    """The first turns at which a sum has another value, an addition more, or one less."""
    wanted, got = added(right), added(wrong)
    for turns in sorted({*wanted, *got}):
        here, there = wanted.get(turns, []), got.get(turns, [])
        if len(here) != len(there) or not np.allclose(here, there, rtol=1e-5, atol=1e-6):
            return turns
    raise AssertionError("the edit changes nothing")


def traced(folder: Path, gl: moderngl.Context, subject: str, shader: str, at: str) -> tuple[Trace, Turns | None, str]:
    """Returns the trace of an element, the turns of the term that is marked in its sum, and its text."""
    with pipeline.open(write(folder, SUBJECTS[subject], shader), context=gl) as session:
        session.run()
        assert session.shader_error("y") is None
        trace = session.trace("y", getattr(SUBJECTS[subject], at))
        found = sums(session, trace)
    assert found is not None
    if found.first_wrong is None:
        return trace, None, found.reason
    term = found.terms[found.first_wrong]
    return trace, trace.steps[term.step].turns, f"{term.fault}: {found.reason}"


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("at", ["middle", "border"])
def test_nothing_is_marked_where_nothing_is_wrong(tmp_path: Path, gl: moderngl.Context, subject: str, at: str) -> None:
    _, marked, said = traced(tmp_path, gl, subject, SUBJECTS[subject].shader, at)
    assert marked is None, said


@pytest.mark.parametrize("name", PLANTED)
def test_the_marked_turn_is_the_first_wrong_one(tmp_path: Path, gl: moderngl.Context, name: str) -> None:
    planted = PLANTED[name]
    shader = SUBJECTS[planted.subject].shader
    assert planted.before in shader
    right, _, _ = traced(tmp_path, gl, planted.subject, shader, planted.at)
    wrong, marked, said = traced(
        tmp_path, gl, planted.subject, shader.replace(planted.before, planted.after), planted.at
    )
    first = first_difference(right, wrong)
    if first in added(wrong):
        assert marked == first, said
    else:  # what was left out has no step: the mark stands behind the addition before it, not past the next
        assert said.startswith("missing")
        ran = added(wrong)
        before = max((turns for turns in ran if turns < first), default=())
        behind = min((turns for turns in ran if turns > first), default=first)
        assert marked is not None
        assert before <= marked <= behind, said
