"""Comparisons of the open session with its oracle, one after the other in a thread; the newest one is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.incremental_compare.judged import IncrementalJudge
from texelscope.pipeline.lowerings.fusion.groups import FusedGroups
from texelscope.pipeline.plan import Plan
from texelscope.viewer.document.comparison import Comparison, Question, compare, compares_alike
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.run import DocumentRun

# Runs one after the other are compared when this long has passed since the last comparison began.
COMPARE_EVERY_SECONDS = 1.0


class Comparing:
    """`newest` is the last comparison of this session that came to its end.

    `ended` says, while nothing is under way, why the last one did not: the window must not seem to wait for it.
    """

    def __init__(self, log: MessageLog, wake: Callable[[], None]) -> None:
        self._log = log
        self._worker: Worker[Comparison] = Worker(wake)
        self._session: DebugSession | None = None
        self._judged: IncrementalJudge | None = None
        self._comparer: Comparer | None = None
        self._plan: Plan | None = None
        self._asked: Job[Comparison] | None = None
        self._question: Question | None = None
        self._newest_by: Comparer | None = None
        self._as_run: tuple[Capture, FusedGroups | None, Capture] | None = None
        self._changes = -1  # of the run, when its results were last read back
        self._began = 0.0
        self._number = 0
        self.newest: Comparison | None = None
        self.ended: Literal["", "cancelled", "failed"] = ""

    @property
    def job(self) -> Job[Comparison] | None:
        """The comparison under way."""
        return self._worker.current()

    def take_up(self, session: DebugSession | None) -> None:
        """For another session, or none: what is under way or known is about what is gone."""
        self.outdate()
        if self._judged is not None:
            self._judged.release()
        self._judged = IncrementalJudge(session) if session is not None else None
        self._session, self.newest, self.ended = session, None, ""
        self._comparer = self._newest_by = self._plan = self._as_run = None
        self._changes = -1
        if session is not None:
            self._renew(session.plan)

    def before_run(self) -> None:
        """Before passes run again: what was read back is held on the GPU, to be asked what of it is otherwise then."""
        if self._judged is not None:
            self._judged.hold()

    def array(self, key: str) -> NDArray[np.float32] | None:
        """The tensor `key` as it is now, if it was read back since it was written."""
        return self._judged.array(key) if self._judged is not None else None

    def follow(self, plan: Plan, *, oracle_changed: bool) -> None:
        """The session has gone over to another version of its plan, in which the oracle may be another too."""
        if self.newest is not None and self._plan is not None and self._plan.textures != plan.textures:
            self.newest = None  # its tensors have other shapes
        if oracle_changed or not compares_alike(self._plan, plan):
            self._renew(plan)

    def outdate(self) -> None:
        """Gives up what is under way: it compares what is no more."""
        self._asked = None
        self._worker.cancel()

    def cancel(self) -> None:
        """Gives up what is under way because somebody asked for it."""
        if self._asked is not None:
            self.outdate()
            self.ended = "cancelled"
            self._log.add("Comparison cancelled. Run again to compare.")

    def is_due(self, run: DocumentRun) -> bool:
        """Whether there are results that were not read back to be compared."""
        return self._comparer is not None and self._changes != run.changes

    def update(self, run: DocumentRun, revision: int) -> bool:
        """Takes up what has ended, and begins where results have changed; True if something new is there.

        `revision` is that of the document. Touches GL: for the window's thread.
        """
        changed = False
        for job in self._worker.finished():
            changed |= self._take_up_ended(job)
        if self.is_due(run) and not run.is_under_way:
            now = time.perf_counter()
            waits = self._worker.current() is not None or now - self._began < COMPARE_EVERY_SECONDS
            if not (run.is_live and waits):
                self._changes, self._began = run.changes, now
                changed |= self._begin(run, revision)
        return changed

    def close(self) -> None:
        """Lets the thread go."""
        self._worker.close()

    def _renew(self, plan: Plan) -> None:
        """Making a comparer runs the oracle's file, if the plan has one."""
        self._plan = plan
        try:
            self._comparer = Comparer(plan)
        except Exception as error:  # noqa: BLE001 - the file is anybody's; without its oracle the passes still run
            self._comparer = None
            self._fail(error)

    def _begin(self, run: DocumentRun, revision: int) -> bool:
        """Has compared what is there, unless every verdict stands; True if that is so."""
        assert self._comparer is not None
        self.ended = ""
        try:
            capture = self._capture(run)
        except Exception as error:  # noqa: BLE001 - it is not tried again before something has changed
            self._fail(error)
            return False
        by, newest = self._comparer, self.newest
        if newest is not None and newest.capture is capture and self._newest_by is by:
            self.outdate()
            self.newest = replace(newest, revision=revision)
            if not run.is_live:
                self._log.add(f"Nothing has changed. {newest.summary}")
            return True
        if self._asked is None or self._question is None or not self._question.asks_as(by, capture, revision):
            self._ask(capture, by, revision)
        return False

    def _capture(self, run: DocumentRun) -> Capture:
        """What is there; the very object of the last time if that is as it was."""
        assert self._judged is not None
        held = self._judged.capture()
        if self._as_run is None or self._as_run[0] is not held or self._as_run[1] is not run.steps:
            self._as_run = held, run.steps, run.as_run(held)
        return self._as_run[2]

    def _ask(self, capture: Capture, by: Comparer, revision: int) -> None:
        assert self._session is not None
        self._number += 1
        last = self.newest if self._newest_by is by else None
        plan = self._session.plan
        programs = {each.name: self._session.program_source(each.name) for each in plan.passes}
        self._question = Question(plan, by, capture, self._number, revision, programs, last)
        self._asked = Job("Comparing with the oracle", partial(compare, self._question, self._worker))
        self._worker.submit(self._asked)

    def _take_up_ended(self, job: Job[Comparison]) -> bool:
        if job is not self._asked:  # of another session, or given up
            return False
        self._asked = None
        if job.result is not None:
            assert self._question is not None
            self.newest, self._newest_by = job.result, self._question.comparer
            self._question = None
            self._log.warn_of_new(job.result.problems)
            self._log.add(job.result.summary)
        elif job.error is not None and not isinstance(job.error, CancelledError):
            self._fail(job.error)
        return True

    def _fail(self, error: Exception) -> None:
        self.ended = "failed"
        self._log.add(told("the comparison", error), error=True)
