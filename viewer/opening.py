"""Opens a target without stopping the window: its plan is made in a thread, its session where the GL context is."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import moderngl

import pipeline
from pipeline.commands.opening import Target
from pipeline.compare import CancelledError
from pipeline.gl_context import limits_of
from pipeline.operators.base import Limits
from pipeline.plan import Plan
from viewer.jobs import Job, Worker


@dataclass(frozen=True)
class Opened:
    """A target with its plan, or with what kept it from being planned."""

    target: Target
    plan: Plan | None
    error: Exception | None = None


class Opening:
    """Plans targets one after the other; the newest wins."""

    def __init__(self, context: moderngl.Context, wake: Callable[[], None]) -> None:
        self._limits = limits_of(context)
        self._worker: Worker[Opened] = Worker(wake)

    @property
    def job(self) -> Job[Opened] | None:
        """The target being planned; nothing once that was cancelled."""
        job = self._worker.current()
        return job if job is not None and not job.cancel.is_set() else None

    def start(self, target: Target, trusted: Collection[str] = ()) -> None:
        """Plans `target` in place of any other; oracle files with those SHA-256 sums may run."""
        trust = True if target.trust else tuple(trusted)
        work = partial(_plan, target=target, limits=self._limits, trust=trust)
        self._worker.submit(Job(f"Opening {Path(target.path).name}", work))

    def finished(self) -> list[Opened]:
        """What was planned since the last call, without what was cancelled."""
        done = []
        for job in self._worker.finished():
            if job.result is not None and not job.cancel.is_set():
                done.append(job.result)
        return done

    def close(self) -> None:
        """Lets the thread go."""
        self._worker.close()


def _plan(job: Job[Opened], *, target: Target, limits: Limits, trust: bool | Collection[str]) -> Opened:
    if job.cancel.is_set():
        raise CancelledError
    try:
        plan = pipeline.plan_of(
            target.path,
            layout=target.layout,
            precision=target.precision,
            shapes=target.shapes,
            limits=limits,
            trust=trust,
            conventions=target.conventions,
        )
    except Exception as error:  # noqa: BLE001 - the window tells its user, whatever it is
        return Opened(target, None, error)
    return Opened(target, plan)
