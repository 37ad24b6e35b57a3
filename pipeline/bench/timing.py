"""Whole runs of several sessions, taking turns; and the GPU time of every pass, in runs of its own.

A timer query around each pass costs time itself, and reading one waits for the GPU: whole runs are measured without.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.gl.session import Session

# Whole runs that the medians are taken of: at least, fewer of what takes long, at most; within so many seconds a way.
LEAST_RUNS, LEAST_LONG_RUNS, MOST_RUNS = 5, 2, 200
SECONDS, LONG_SECONDS = 3.0, 10.0
TIMED_RUNS = 5


@dataclass(frozen=True)
class TimedRuns:
    """Milliseconds of whole runs: until handed over to the driver, and until the GPU was done."""

    submit_ms: tuple[float, ...]
    frame_ms: tuple[float, ...]


def take_turns(ways: Sequence[tuple[Session, bool]], seconds: float = SECONDS) -> tuple[TimedRuns, ...]:
    """Runs of each session on its inputs as they are, fused or not, in turns, after one that does not count.

    What is measured is what runs for long: every form that has a tuned one has given way to it before.
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in ways]
    for session, fused in ways:
        _one_run(session, fused=fused)
        if fused:
            session.run_fused(settle=True)
        while session.tune(after=1):
            pass
    while any(waiting := [_wants_more(times, seconds) for times in taken]):
        for (session, fused), times, wants in zip(ways, taken, waiting, strict=True):
            if wants:
                times.append(_one_run(session, fused=fused))
    return tuple(TimedRuns(*(tuple(column) for column in zip(*times, strict=True))) for times in taken)


def _wants_more(times: Sequence[tuple[float, float]], seconds: float) -> bool:
    spent = sum(frame_ms for _, frame_ms in times) / 1e3
    if len(times) < LEAST_RUNS:
        return len(times) < LEAST_LONG_RUNS or spent < LONG_SECONDS
    return len(times) < MOST_RUNS and spent < seconds


def pass_times(session: Session, runs: int = TIMED_RUNS) -> Mapping[str, float | None]:
    """By pass that ran, the median of its GPU times in milliseconds; None where the driver tells none."""
    names = [each.name for each in session.plan.passes if session.has_run(each.name)]
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(runs):
        session.run()
        session.finish()
        for name in names:
            took = session.gpu_ms(name)
            if took is not None:
                times[name].append(took)
    return {name: statistics.median(taken) if taken else None for name, taken in times.items()}


def _one_run(session: Session, *, fused: bool) -> tuple[float, float]:
    with session.untimed():
        run = session.run_fused if fused else session.run
        start = time.perf_counter()
        run()
        submitted = time.perf_counter()
        session.finish()
        return (submitted - start) * 1e3, (time.perf_counter() - start) * 1e3
