"""The running sum beside the oracle's: the first turn in which a planted bug shows is marked, and no right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import moderngl
import pytest

from tests.faults.changes import Edit
from tests.faults.seen.subjects import convolutions, pictures, rows
from tests.faults.subjects import Subject
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.step_trace.sums import FragmentSum, sums
from texelscope.pipeline.step_trace.trace import Trace


@dataclass(frozen=True)
class Bug:
    """Text put in place of other text in a right shader, and what is said of the first wrong term of `element`."""

    subject: Callable[[], Subject]
    old: str
    new: str
    element: int
    fault: str
    says: str
    accumulator: str = "acc"


CONV = convolutions.conv_relu_fetch
_ADD = "acc += texelFetch(u_x, from, 0).r * weight(o, i, ivec2(kx, ky));"
_BIAS = "acc += texelFetch(u_b, ivec2(o, 0), 0).r;"
BUGS = {
    "wrong offset": Bug(CONV, "u_pad + ivec2(kx", "u_pad + 1 + ivec2(kx", 193, "weight", "is multiplied by"),
    "wrong channel": Bug(CONV, "* u_x_shape.y + i,", "* u_x_shape.y + (i + 1) % 5,", 320, "weight", "x[0, 1, "),
    "missing tap": Bug(
        CONV, "* u_dilation;\n", "* u_dilation;\nif (i == 2 && kx == 1 && ky == 1) continue;\n", 415, "missing",
        "The product of x[1, 2, 4, 1] is never added.",
    ),
    "doubled tap": Bug(CONV, _ADD, f"{_ADD}\nif (i == 1 && ky == 1) {_ADD}", 193, "again", "is added a second time."),
    "wrong weight": Bug(CONV, "weight(o, i, ", "weight(o, i == 3 ? 2 : i, ", 193, "weight", "x[0, 3, 0, 3] is"),
    "wrong flip": Bug(CONV, "weight(o, i, ivec2(kx, ky))", "weight(o, i, 2 - ivec2(kx, ky))", 193, "weight", "x["),
    "bias twice": Bug(CONV, _BIAS, f"{_BIAS}\n{_BIAS}", 193, "again", "The addend is added a second time."),
    "other group": Bug(
        convolutions.deconv_gather, "int channel = group * PER_GROUP_IN + i;", "int channel = i;", 300, "not_expected",
        "is none of what this element sums up.", "sum",
    ),
    "mean of a neighbour": Bug(
        pictures.avgpool_fetch, "u_x_size.x + x,", "u_x_size.x + max(x - 1, 0),", 30, "", "", "total"
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """Returns a shader's trace of one element, and its sums."""

    trace: Trace
    sums: FragmentSum


def ran(gl: moderngl.Context, subject: Subject, element: int, *edits: Edit) -> Ran:
    """Runs, traces and adds up."""
    plan = subject.plan
    for edit in edits:
        plan = edit.to_plan(plan, subject.name)
    with DebugSession(plan, gl) as session:
        for key, value in subject.inputs.items():
            session.set_input(key, value)
        session.run()
        trace = session.trace(subject.name, element)
        found = sums(session, trace)
    assert found is not None
    return Ran(trace, found)


@pytest.fixture(scope="module")
def right(gl: moderngl.Context) -> Callable[[Callable[[], Subject], int], Ran]:
    return cache(lambda subject, element: ran(gl, subject(), element))


def growth(trace: Trace, name: str) -> list[tuple[int, tuple[float, ...]]]:
    """Step and value of each assignment to a variable."""
    return [(step.number, made.value) for step in trace.steps for made in step.assigned if made.name == name]


@pytest.mark.parametrize("name", BUGS)
def test_the_first_turn_that_a_bug_shows_in_is_marked(
    gl: moderngl.Context, right: Callable[[Callable[[], Subject], int], Ran], name: str
) -> None:
    bug = BUGS[name]
    healthy = right(bug.subject, bug.element)
    assert (healthy.sums.first_wrong, healthy.sums.accumulator) == (None, bug.accumulator), healthy.sums.reason
    assert sum(term.share for term in healthy.sums.terms) == pytest.approx(1.0)
    wrong = ran(gl, bug.subject(), bug.element, Edit(bug.old, bug.new))
    place = wrong.sums.first_wrong
    assert place is not None
    term, before = wrong.sums.terms[place], wrong.sums.terms[:place]
    assert bug.fault in ("", term.fault)
    assert bug.says in term.text == wrong.sums.reason
    # Beside the right shader's: up to there every sum was the same, and the next one is not.
    here, there = growth(wrong.trace, bug.accumulator), growth(healthy.trace, bug.accumulator)
    same = next(
        (k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a[1] != b[1]), min(len(here), len(there))
    )
    last = here[same][0] if same < len(here) else wrong.trace.total
    assert here[same - 1][0] < term.step <= last
    assert all(abs(each.running - each.expected_running) <= 1e-5 for each in before)


def test_four_products_a_step_and_a_lane_of_four_are_told_apart(gl: moderngl.Context) -> None:
    found = ran(gl, convolutions.conv_rgba(), 273).sums
    assert (found.first_wrong, found.accumulator, len(found.terms)) == (None, "sum", 24)
    assert all(len(term.reads) == 2 and term.value is not None and term.weight is not None for term in found.terms)
    found = ran(gl, rows.dense_flat(), 21).sums
    assert (found.first_wrong, len(found.terms)) == (None, 12)


def test_what_is_no_sum_of_products_has_none_and_a_part_of_a_trace_says_so(gl: moderngl.Context) -> None:
    subject = pictures.maxpool_rgba()
    with DebugSession(subject.plan, gl) as session:
        for key, value in subject.inputs.items():
            session.set_input(key, value)
        session.run()
        assert sums(session, session.trace(subject.name, 3)) is None
    subject = pictures.avgpool_fetch()
    with DebugSession(subject.plan, gl) as session:
        for key, value in subject.inputs.items():
            session.set_input(key, value)
        session.run()
        found = sums(session, session.trace(subject.name, 3, window=(0, 10)))
    assert found is not None
    assert (found.terms, found.first_wrong) == ((), None)
    assert found.reason == "A part of the trace was recorded; the sum needs all of it."
