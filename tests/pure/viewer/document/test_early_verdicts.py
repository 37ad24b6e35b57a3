"""Verdicts of a comparison under way: how far it is, how long it will take, and what is wrong so far."""

from __future__ import annotations

import pytest

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.isolated import IsolatedReport
from texelscope.pipeline.compare.report import PassReport, Verdict
from texelscope.pipeline.device import DeviceInfo
from texelscope.viewer.document.early_verdicts import EarlyVerdicts, left_words

PASSES = 16


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def early(clock: Clock) -> EarlyVerdicts:
    """Returns no verdicts yet, of a chain of passes called `p0`, `p1` …"""
    nodes = [node("Relu", f"t{i}", f"t{i + 1}", f"p{i}") for i in range(PASSES)]
    shape = (1, 2, 3, 3)
    plan = pipeline.plan_of(model(nodes, [value("t0", shape)], [value(f"t{PASSES}", shape)]))
    return EarlyVerdicts(7, 3, plan, Capture("net", DeviceInfo("", ""), {}, {}, {}), clock)


def judged(number: int, verdict: Verdict = "match") -> IsolatedReport:
    return IsolatedReport(PassReport(f"p{number}", "Relu", (1, 2, 3, 3), "", verdict))


def test_words_say_how_far_it_is_and_how_long_the_other_passes_will_take(early: EarlyVerdicts, clock: Clock) -> None:
    assert early.words == "0 of 16"
    for number in range(4):
        clock.now += 1.0
        early.add(judged(number))
    assert early.words == "4 of 16, about 15 s left"
    assert early.progress == 0.25


def test_the_time_left_follows_the_last_passes_because_layers_differ_in_size(
    early: EarlyVerdicts, clock: Clock
) -> None:
    for number in range(6):
        clock.now += 60.0
        early.add(judged(number))
    assert early.words == "6 of 16, about 10 min left"
    for number in range(6, 8):
        clock.now += 0.5
        early.add(judged(number))
    assert early.words == "8 of 16, about 4 s left"
    clock.now += 60.0
    assert early.words == "8 of 16, about 4 min left", "one that takes long is seen while it does"


def test_nothing_is_estimated_in_the_first_half_second(early: EarlyVerdicts, clock: Clock) -> None:
    clock.now += 0.25
    early.add(judged(0))
    assert early.words == "1 of 16"


def test_after_the_last_verdict_words_are_about_the_rest(early: EarlyVerdicts, clock: Clock) -> None:
    for number in range(PASSES):
        early.add(judged(number))
    assert (early.words, early.progress) == ("end to end, 0%", 0.0)
    clock.now += 2.0
    early.share = 0.25
    assert (early.words, early.progress) == ("end to end, 25%, about 6 s left", 0.25)


def test_the_first_wrong_pass_is_the_first_of_the_plan_in_whatever_order_passes_are_judged(
    early: EarlyVerdicts,
) -> None:
    early.add(judged(9, "mismatch"))
    assert early.first_wrong is not None
    assert early.first_wrong.name == "p9"
    early.add(judged(4, "not_compared"))
    early.add(judged(5, "nan"))
    early.add(judged(11, "mismatch"))
    early.add(judged(12))
    assert early.first_wrong.name == "p5"
    assert (early.count, early.matching) == (5, 1)
    assert early.find("p5") is early.first_wrong
    assert early.find("p0") is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.0, ", about 1 s left"),
        (3.2, ", about 4 s left"),
        (12.0, ", about 15 s left"),
        (119.0, ", about 120 s left"),
        (200.0, ", about 3 min left"),
    ],
)
def test_seconds_are_rounded_as_an_estimate_is(seconds: float | None, words: str) -> None:
    assert left_words(seconds) == words
