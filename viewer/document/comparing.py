"""Compares the open session with its oracle in a thread, one comparison at a time, and keeps the newest."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.incremental_compare.judged import IncrementalJudge
from texelscope.pipeline.plan import Plan
from texelscope.viewer.document.comparison import Comparison, Question, compare, compares_alike
from texelscope.viewer.document.early_verdicts import EarlyVerdicts
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.run import DocumentRun

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.compare.comparer import Comparer
    from texelscope.pipeline.lowerings.fusion.groups import FusedGroups

# Of runs that follow each other, the next one is compared when this long has passed since the last comparison began.
COMPARE_EVERY_SECONDS = 1.0
# Between two frames results are read back for so long. The rest of a frame of 16 ms draws the window.
READ_SECONDS = 0.006


class Comparing:
    """The comparisons of one session; `newest` is the last that was completed.

    `early` are the verdicts so far of the one under way, or of one that the user cancelled; None before and after. It
    judges the passes called `needed` next, the most urgent first; the window says which they are.
    `ended` says, while none is under way, why the last one failed: the window must not seem to wait for it.
    """

    def __init__(
        self, log: MessageLog, wake: Callable[[], None], show_progress: Callable[[], None] | None = None
    ) -> None:
        """`wake` and `show_progress` are called from the thread, as `Worker` calls them."""
        self._log = log
        self._worker: Worker[Comparison] = Worker(wake, show_progress=show_progress)
        self._session: DebugSession | None = None
        self._judged: IncrementalJudge | None = None
        self._comparer: Comparer | None = None
        self._is_refused = False
        self._plan: Plan | None = None
        self._asked: Job[Comparison] | None = None
        self._question: Question | None = None
        self._newest_by: Comparer | None = None
        self._as_run: tuple[Capture, FusedGroups | None, Capture] | None = None
        self._reading: Generator[None, None, Capture] | None = None
        self._read_changes = -1  # of the run, when reading its results back began
        self._changes = -1  # of the run, when its results were last read back
        self._began = 0.0
        self._number = 0
        self.newest: Comparison | None = None
        self.early: EarlyVerdicts | None = None
        self.needed: tuple[str, ...] = ()
        self.ended: Literal["", "cancelled", "failed"] = ""

    @property
    def job(self) -> Job[Comparison] | None:
        """The comparison under way."""
        return self._worker.current()

    @property
    def is_reading(self) -> bool:
        """Whether results are being read back, some in each `update`."""
        return self._reading is not None

    def take_up(self, session: DebugSession | None) -> None:
        """Switches to another session, or none; drops everything about the previous one."""
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
        """Keeps what was read back on the GPU before passes run again, so that changes can be detected there."""
        if self._judged is not None:
            self._judged.hold()

    def array(self, key: str) -> NDArray[np.float32] | None:
        """Returns the tensor `key` as it is now, if it was read back since it was written."""
        return self._judged.array(key) if self._judged is not None else None

    def follow(self, plan: Plan, *, oracle_changed: bool) -> None:
        """Continues with another version of the session's plan, which may have another oracle."""
        if self.newest is not None and self._plan is not None and self._plan.textures != plan.textures:
            self.newest = None  # the tensors have other shapes
        if oracle_changed or not compares_alike(self._plan, plan):
            self._renew(plan)

    def outdate(self) -> None:
        """Cancels the comparison under way, because its subject has changed."""
        self._asked = self.early = self._reading = None
        self._worker.cancel()

    def cancel(self) -> None:
        """Cancels the comparison under way at the user's request; its verdicts so far stay."""
        if self._asked is not None or self.is_reading:
            early = self.early
            self._changes = self._read_changes
            self.outdate()
            self.early, self.ended = early, "cancelled"
            self._log.add("Comparison cancelled. Run again to compare.")

    def is_due(self, run: DocumentRun) -> bool:
        """Returns whether there are results that have not been compared."""
        return self._plan is not None and not self._is_refused and self._changes != run.changes

    def update(self, run: DocumentRun, revision: int) -> bool:
        """Collects finished comparisons and starts one where results have changed; True if something is new.

        `revision` is that of the document. Uses GL: call in the window's thread.
        """
        changed = False
        for job in self._worker.finished():
            changed |= self._take_up_ended(job)
        if self.is_due(run) and not run.is_under_way:
            changed |= self._advance(run, revision)
        return changed

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()

    def _renew(self, plan: Plan) -> None:
        """Compares with that plan's oracle from now on."""
        self._plan, self._reading = plan, None
        self._comparer, self._is_refused = None, False

    def _can_compare(self, plan: Plan) -> bool:
        """Makes a comparer once, which runs the plan's oracle file if there is one; returns whether there is one."""
        if self._comparer is None and not self._is_refused:
            from texelscope.pipeline.compare.comparer import Comparer  # needed once there is a first picture

            try:
                self._comparer = Comparer(plan)
            except Exception as error:  # noqa: BLE001 - the file is untrusted; passes run without an oracle too
                self._is_refused = True
                self._fail(error)
        return self._comparer is not None

    def _advance(self, run: DocumentRun, revision: int) -> bool:
        """Reads some results back, and begins to compare when all are there; True if every verdict is still valid."""
        assert self._judged is not None
        assert self._plan is not None
        if not self._can_compare(self._plan):
            return False
        if self._reading is None or self._read_changes != run.changes:
            now = time.perf_counter()
            waits = self._worker.current() is not None or now - self._began < COMPARE_EVERY_SECONDS
            if run.is_live and waits:
                return False
            self._follow_frame()
            self.ended, self._began = "", now
            self._reading, self._read_changes = self._judged.capturing(), run.changes
        try:
            held = _stepped(self._reading, math.inf if run.is_live else READ_SECONDS)  # a live run goes on at once
        except Exception as error:  # noqa: BLE001 - do not try again before something has changed
            self._changes, self._reading = run.changes, None
            self._fail(error)
            return False
        if held is None:
            return False
        self._changes, self._reading = run.changes, None
        return self._begin(held, run, revision)

    def _begin(self, held: Capture, run: DocumentRun, revision: int) -> bool:
        """Starts a comparison, unless every verdict is still valid; returns True if that is so."""
        assert self._comparer is not None
        capture = self._with_run(held, run)
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

    def _follow_frame(self) -> None:
        """Compares with the uniforms of the session's present frame from now on."""
        assert self._session is not None
        assert self._plan is not None
        assert self._comparer is not None
        plan = self._session.plan
        if plan.frames.moment != self._plan.frames.moment:
            self._comparer, self._plan = self._comparer.in_frame(plan), plan

    def _with_run(self, held: Capture, run: DocumentRun) -> Capture:
        """Adds the run's knowledge to what was read back; returns the previous object if nothing has changed."""
        if self._as_run is None or self._as_run[0] is not held or self._as_run[1] is not run.steps:
            self._as_run = held, run.steps, run.as_run(held)
        return self._as_run[2]

    def _ask(self, capture: Capture, by: Comparer, revision: int) -> None:
        assert self._session is not None
        self._number += 1
        last = self.newest if self._newest_by is by else None
        plan = self._session.plan
        programs = {each.name: self._session.program_source(each.name) for each in plan.passes}
        self.early = EarlyVerdicts(self._number, revision, plan, capture)
        self._question = Question(plan, by, capture, self.early, lambda: self.needed, programs, last)
        self._asked = Job("Comparing with the oracle", partial(compare, self._question, self._worker))
        self._worker.submit(self._asked)

    def _take_up_ended(self, job: Job[Comparison]) -> bool:
        if job is not self._asked:  # of another session, or cancelled
            return False
        self._asked = self.early = None
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


def _stepped(reading: Generator[None, None, Capture], seconds: float) -> Capture | None:
    """Goes on with a capture for about `seconds`, a step at least; returns it when it is complete."""
    end = time.perf_counter() + seconds
    try:
        next(reading)
        while time.perf_counter() < end:
            next(reading)
    except StopIteration as ended:
        capture: Capture = ended.value
        return capture
    return None
