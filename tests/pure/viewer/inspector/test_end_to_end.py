"""Tests the inspector's summary."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.compare.report import EndToEnd, Jump, PassReport, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.viewer.inspector.figures import jump_line

PASSES = tuple(PassReport(name, "Relu", (1,), "linear", "match") for name in ("a", "q", "y"))
REPORT = summarise("net", DeviceInfo("a renderer", "a version"), PASSES)
JUMP = Jump("q", "Round", 1e-7, 0.1, "rounding_decision", "One of 16 elements rounds to the other number.", 1, 0.98)


def lines(jump: Jump | None) -> list[str]:
    report = dataclasses.replace(REPORT, end_to_end=EndToEnd((), jump, "End to end 'y' is off."))
    return [jump_line(report, each) for each in report.passes]


def test_the_pass_where_it_jumps_says_why_and_the_last_one_what_comes_of_it() -> None:
    here = "The end-to-end error jumps here. One of 16 elements rounds to the other number. "
    assert lines(JUMP) == ["", here + "It accounts for 98% of the outputs' error.", "End to end 'y' is off."]


def test_nothing_is_said_where_nothing_jumps() -> None:
    assert lines(None) == ["", "", ""]
    assert jump_line(REPORT, PASSES[0]) == ""


def test_a_pass_that_is_wrong_by_its_verdict_is_not_told_so_again() -> None:
    wrong = dataclasses.replace(PASSES[1], verdict="mismatch")
    assert jump_line(dataclasses.replace(REPORT, end_to_end=EndToEnd((), JUMP, "It is off.")), wrong) == ""
