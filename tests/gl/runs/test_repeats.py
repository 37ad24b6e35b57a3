"""Tests that varying passes are found, and distinguished from ones that show old targets or varying inputs."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.faulty_session import FaultySession
from tests.faults.seen.numbers import unsteady
from tests.faults.states import blend
from texelscope import pipeline
from texelscope.pipeline.commands.diff import MISMATCH, exit_code
from texelscope.pipeline.commands.table import render
from texelscope.pipeline.runs.repeats import repeat, with_repeats


def branches(gl: moderngl.Context, name: str) -> FaultySession:
    """Returns x → tanh p and leaky q; r and s convolve them."""
    model = models.branches()
    session = FaultySession(pipeline.plan_of(model.proto), gl, name)
    session.set_input("x", model.inputs["x"])
    return session


def test_a_session_that_gives_the_same_bits_has_nothing_to_tell(gl: moderngl.Context) -> None:
    with branches(gl, "p") as session:
        session.run()
        before = session.tensor("r")
        report = with_repeats(session.compare(), repeat(session, 3))
        assert np.array_equal(before, session.tensor("r"))
    assert report.repeated == ()
    assert render(report).endswith("Every run gave the same bits.")


@pytest.mark.parametrize(
    "fault", [each for each in unsteady.FAULTS if each.cause == "nondeterministic"], ids=lambda fault: fault.name
)
def test_it_agrees_with_what_diagnosis_calls_nondeterministic(gl: moderngl.Context, fault: Fault) -> None:
    planted = fault.plant(gl)
    with planted.session as session:
        first, *others = repeat(session, 3)
    assert (first.name, first.reason) == (planted.name, "nondeterministic")
    assert 0 < first.elements <= first.count
    assert first.max_abs > 0
    assert {each.reason for each in others} <= {"inherited"}


def test_what_an_earlier_run_left_is_not_called_chance(gl: moderngl.Context) -> None:
    with branches(gl, "p") as session:
        session.on_bind = (blend(moderngl.ONE, moderngl.ONE),)
        session.run()
        repeated = repeat(session, 2)
        report = with_repeats(session.compare(findings=False), repeated)
    assert (repeated[0].name, repeated[0].reason) == ("p", "earlier_run")
    found = report.find("p")
    assert found is not None
    assert "an earlier run shows in it (blending, feedback, a copy that lags, texels left unwritten)." in found.message


def test_a_pass_that_changes_within_its_bound_has_a_finding_and_fails(gl: moderngl.Context) -> None:
    fault = unsteady.FAULTS[0]
    edit = fault.changes[1]
    assert isinstance(edit, Edit)
    small = Edit(edit.old, edit.new.replace("0.01 *", "0.0000001 *"))
    planted = Fault("small", "", fault.subject, (fault.changes[0], small, *fault.changes[2:])).plant(gl)
    with planted.session as session:
        report = with_repeats(session.compare(findings=False), repeat(session, 3))
    found = report.find(planted.name)
    assert found is not None
    assert found.verdict == "match"
    assert [each.cause for each in found.findings] == ["nondeterministic"]
    assert f"elements differ between 3 runs on the same inputs, by {1e-7:.0e}"[:-6] in found.message
    assert exit_code(report) == MISMATCH
    assert "elements change from run to run (nondeterministic)." in render(report)
