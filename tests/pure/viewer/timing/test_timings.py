"""GPU times over runs, from any session."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast
from weakref import ref

import pytest

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.viewer.timing.model import Timings, whole_ms


@dataclass
class Clock:
    """A session as far as times go: two passes, whose runs a test decides."""

    times: dict[str, float] = field(default_factory=dict)
    runs: int = 0
    plan: object = field(
        default_factory=lambda: SimpleNamespace(passes=[SimpleNamespace(name=n, output=n) for n in "ab"])
    )

    def run(self, **times: float) -> DebugSession:
        self.times, self.runs = times, self.runs + 1
        return cast(DebugSession, self)

    def generation(self, key: str) -> int:
        return self.runs if key in self.times else 0

    def has_run(self, name: str) -> bool:
        return name in self.times

    def gpu_ms(self, name: str) -> float | None:
        return self.times.get(name)


def test_a_pass_has_the_median_of_its_runs() -> None:
    clock, timings = Clock(), Timings()
    for elapsed in (3.0, 100.0, 5.0):
        timings.update(clock.run(a=elapsed, b=1.0))
    assert timings.median_ms("a") == 5.0
    assert timings.total_ms() == 6.0
    assert timings.totals_ms() == pytest.approx((4.0, 101.0, 6.0))


def test_a_session_that_is_gone_is_not_held() -> None:
    timings, clock = Timings(), Clock()
    timings.update(clock.run(a=1.0))
    watched = ref(clock)
    del clock
    gc.collect()
    assert watched() is None
    timings.update(Clock().run(a=2.0))
    assert timings.history_ms("a") == (2.0,)


def test_looking_twice_at_one_run_counts_it_once() -> None:
    clock, timings = Clock(), Timings()
    session = clock.run(a=2.0, b=1.0)
    timings.update(session)
    timings.update(session)
    assert timings.history_ms("a") == (2.0,)


def test_a_run_that_was_not_timed_is_none_of_its_own() -> None:
    clock, timings = Clock(), Timings()
    timings.update(clock.run(a=2.0, b=1.0))
    for _ in range(3):  # the session still reports the times of the last run that was timed
        timings.update(clock.run(a=2.0, b=1.0), untimed={"a", "b"})
    timings.update(clock.run(a=4.0, b=1.0))
    assert timings.history_ms("a") == (2.0, 4.0)
    late = Timings()
    late.update(clock.run(a=4.0, b=1.0), untimed={"a", "b"})
    assert late.total_ms() == 5.0, "what is known from before anybody looked"


def test_a_pass_that_never_ran_has_no_time() -> None:
    timings = Timings()
    timings.update(Clock().run(a=2.0))
    assert timings.median_ms("b") is None
    assert timings.history_ms("b") == ()


def test_another_session_begins_anew() -> None:
    timings = Timings()
    timings.update(Clock().run(a=2.0, b=1.0))
    timings.update(Clock().run(a=4.0, b=1.0))
    assert timings.history_ms("a") == (4.0,)


def test_forms_of_fused_runs_are_timed_by_what_they_cover() -> None:
    clock, timings = Clock(), Timings()
    form = Lowering(("a", "b"), ("x",), ("b",), ())
    for elapsed in (3.0, 5.0):
        timings.update(clock.run(**{"a + b": elapsed, "b": 9.0}), (form,))
    assert timings.history_ms("a + b") == (3.0, 5.0)
    assert timings.total_ms() == 4.0
    timings.update(clock.run(a=1.0, b=2.0), ("a", "b"))
    assert timings.total_ms() == 3.0, "what is no step any more does not count"


def test_a_whole_run_has_a_time_once_everything_has() -> None:
    session = Clock().run(a=2.0, b=1.0)
    assert whole_ms(session, ["a", "b"]) == 3.0
    assert whole_ms(session, ["a", "c"]) is None
    assert whole_ms(session, []) is None
