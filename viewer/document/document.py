"""The open target: its session, how far it has run, and the comparison of what it made.

All GL work happens here, in the window's thread, in steps small enough for a frame; comparing happens in
the worker's. Whatever goes wrong becomes an entry of the log, and the last good state stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

import moderngl
import numpy as np
from numpy.typing import NDArray

from pipeline.compare.comparer import Comparer
from pipeline.compare.report import PassReport
from pipeline.debug_session import DebugSession
from pipeline.errors import CancelledError, TexelscopeError
from pipeline.inputs.sources import load_source
from pipeline.opening import set_inputs
from pipeline.plan import Pass, Plan, StoredTensor
from pipeline.reload.reloader import Reload, Reloader
from pipeline.target import OpenKeywords, Target
from viewer.document.comparison import Comparison, compare, compares_alike
from viewer.document.jobs import Job, Worker
from viewer.document.log import Log
from viewer.document.opening import Opened, Opening, warnings_of
from viewer.document.tensor_values import TensorValues

# Continuous runs are compared when this long has passed since the last comparison began.
COMPARE_EVERY_SECONDS = 1.0


class Document:
    """One open target. `position` counts the passes that have run, in order.

    `revision` grows whenever inputs or shaders change: what was found out about an older one is out of date.
    """

    def __init__(self, context: moderngl.Context, log: Log, wake: Callable[[], None]) -> None:
        self._context = context
        self._log = log
        self._wake = wake
        self._reloader: Reloader | None = None
        self._worker: Worker[Comparison] = Worker(wake)
        self._opening = Opening(context, wake)
        self._comparer: Comparer | None = None
        self._compared_plan: Plan | None = None
        self._stale = True
        self._compared_at = 0.0
        self._wanted = 0
        self._only_stale = self._shows_save = False
        self.session: DebugSession | None = None
        self.target: Target | None = None
        self.comparison: Comparison | None = None
        self.position = 0
        self.continuous = False
        self.revision = 0
        self.before_change: Callable[[], None] = lambda: None
        self.trusted: Collection[str] = ()
        self.frame_ms: float | None = None
        self.failure: str | None = None
        self.failed_target: Target | None = None
        self.restored: Mapping[str, object] | None = None
        self._run_started: float | None = None
        self._values = TensorValues()

    # -- opening -------------------------------------------------------------------------------------------

    def open(self, target: Target) -> None:
        """Opens a target in place of the present one, which stays if that fails (and the log says why).

        The plan is made in a thread: `opening` until then.
        """
        self._opening.start(target, self.trusted)

    def reopen(self, **changes: Unpack[OpenKeywords]) -> None:
        """The same target with another layout or precision."""
        if self.target is not None:
            self.open(replace(self.target, options=replace(self.target.options, **changes)))

    def _take_up(self, opened: Opened) -> None:
        """Makes the session of a target that was planned."""
        if opened.plan is None:
            error = opened.error
            known = isinstance(error, TexelscopeError)
            self._fail(str(error) if known else f"{opened.target.path}: {type(error).__name__}: {error}")
            self.failed_target = opened.target
            return
        session = DebugSession(opened.plan, self._context)
        try:
            set_inputs(session, opened.target)
        except TexelscopeError as error:
            session.release()
            self._fail(str(error))
            return
        self.close_session()
        self.session, self.target, self.restored = session, opened.target, opened.state
        self._comparer, self._compared_plan = Comparer(session.plan), session.plan
        self._watch()
        self.failure = self.failed_target = None
        self.revision += 1
        self.position = 0
        self.run_all()
        name = Path(self.origin or "").name
        self._log.add(f"Opened {name}: {len(session.plan.passes)} passes in {opened.target.options.layout}.")
        for text in warnings_of(session.plan):
            self._log.add(text, warning=True)

    def set_input(self, name: str, source: str, *, quietly: bool = False) -> bool:
        """Loads a picture, an array or a pattern into an input and runs everything again."""
        if self.session is None or self.target is None:
            return False
        try:
            shape = self.session.plan.textures[name].shape
            self.session.set_input(name, load_source(source, shape, name=name))
        except TexelscopeError as error:
            self._log.add(str(error), error=True)
            return False
        self.target = replace(self.target, inputs={**self.target.inputs, name: source})
        self.revision += 1
        if not quietly:
            self._log.add(f"Input '{name}' is {source}.")
        self.run_all()
        return True

    def close_session(self) -> None:
        """Lets the present session go."""
        self.before_change()
        if self._reloader is not None:
            self._reloader.close()
            self._reloader = None
        if self.session is not None:
            self.session.release()
        self.session = self.comparison = self._comparer = None
        self._values.clear()
        self.position = self._wanted = 0

    def close(self) -> None:
        """Lets everything go, the worker too."""
        self._opening.close()
        self._worker.close()
        self.close_session()

    def _fail(self, message: str) -> None:
        self._log.add(message, error=True)
        if self.session is None:
            self.failure = message

    # -- saved files ---------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Follows the files that the target was made from."""
        assert self.session is not None
        assert self.target is not None
        options = replace(self.target.options, trust=self.target.options.trust or self.trusted)
        self._reloader = Reloader(self.session, self.target.path, options, run=False, notify=self._wake)
        if (reason := self._reloader.watch_error) is not None:
            self._log.add(f"Saved files are not noticed: {reason}. F7 reads them again.", warning=True)

    def reload(self) -> None:
        """Reads the target's files again, whether they were saved or not."""
        if self._reloader is not None and self.session is not None:
            self._take_up_saved(self._reloader.reload(frozenset()))

    def follow(self, op_type: str, convention: str) -> None:
        """Compares with, and where the shaders are the program's own also computes, `convention` of an operator."""
        if self._reloader is None or self.target is None:
            return
        conventions = {**self.target.options.conventions, op_type: convention}
        done = self._reloader.follow(conventions)
        if not done.errors:
            self.target = replace(self.target, options=replace(self.target.options, conventions=conventions))
        self._take_up_saved(done, f"{op_type} as defined by {convention}.")

    def _take_up_saved(self, saved: Reload, done: str = "") -> None:
        """Runs what a save, or another way to open the target, made stale, and tells what was done."""
        assert self.session is not None
        self.before_change()
        for error in dict.fromkeys(map(str, saved.errors)):  # passes may share a shader
            self._log.add(error, error=True)
        names = ", ".join(path.name for path in saved.changed) or "Everything"
        if not saved.errors:
            self._log.add(done or f"{names} read again.")
            self._log.warn_of_new(warnings_of(self.session.plan))
        if saved.oracle_changed or not compares_alike(self._compared_plan, self.session.plan):
            self._comparer, self._compared_plan = Comparer(self.session.plan), self.session.plan
        self.position, self._wanted = (min(count, len(self.passes)) for count in (self.position, self._wanted))
        self.run_stale()

    def run_stale(self) -> None:
        """Runs what has no result, of the passes that had run; the others wait for a step, as before."""
        assert self.session is not None
        self.revision += 1
        self._worker.cancel()  # it compares what is out of date, on all cores
        stale = [index for index, each in enumerate(self.passes) if not self.session.has_run(each.name)]
        if stale and stale[0] < max(self.position, self._wanted):
            self.run_from(stale[0])
            self._only_stale = self._shows_save = True
        self._stale = True

    # -- running -------------------------------------------------------------------------------------------

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The plan's passes; empty without a session."""
        return self.session.plan.passes if self.session is not None else ()

    @property
    def running(self) -> bool:
        """Whether passes are waiting to be run in the coming frames."""
        return self.position < self._wanted

    def run_all(self) -> None:
        """Runs every pass, from the first."""
        self._start(0, len(self.passes))

    def stop(self) -> None:
        """Leaves it at the passes that have run."""
        self.continuous, self._wanted = False, self.position

    def run_from(self, index: int) -> None:
        """Runs the pass at `index` and what follows, as far as the passes had run; from there on if not so far."""
        end = max(self._wanted, self.position)  # a run that is under way still goes as far as it was to
        self._start(min(index, self.position), max(end, index + 1))

    def run_to(self, index: int) -> None:
        """Runs from the first pass up to and with the one at `index`; what follows counts as not run."""
        self._rewind(index + 1)
        self._start(0, index + 1)

    def step_forward(self) -> None:
        """Runs the next pass."""
        if self.position < len(self.passes):
            self._start(self.position, self.position + 1)

    def step_back(self) -> None:
        """Takes the last pass that ran back: it and what follows count as not run."""
        if self.position > 0:
            self._rewind(self.position - 1)
            self.position = self._wanted = self.position - 1
            self._stale = True

    def _start(self, first: int, end: int) -> None:
        self.before_change()
        self._only_stale = self._shows_save = False
        self.position, self._wanted = first, end
        self._run_started = time.perf_counter()
        self._stale = True

    def _rewind(self, index: int) -> None:
        if self.session is not None and index < len(self.passes):
            for each in self.passes[index:]:
                self.session.invalidate(each.name)

    def advance(self, budget_ms: float) -> bool:
        """Runs passes for about `budget_ms`, after a save one pass; True if any ran. A pass is the smallest step."""
        if self.session is not None and self.continuous and not self.running:
            self._start(0, len(self.passes))
        if self.session is None or not self.running:
            return False
        end = time.perf_counter() + (0.0 if self._shows_save else budget_ms) / 1e3
        self._shows_save = False
        while self.running:
            name = self.passes[self.position].name
            if self._only_stale and self.session.has_run(name):
                self.position += 1
                continue
            before = self.session.shader_error(name)
            self.session.run_pass(name)
            if (after := self.session.shader_error(name)) not in (None, before):
                self._log.add(str(after), error=True)
            self.session.finish()
            self.position += 1
            if time.perf_counter() > end:
                break
        if not self.running and self._run_started is not None:
            self.frame_ms = (time.perf_counter() - self._run_started) * 1e3
        return True

    # -- comparing -----------------------------------------------------------------------------------------

    @property
    def job(self) -> Job[Opened] | Job[Comparison] | None:
        """What is under way in a thread: opening another target, or a comparison."""
        return self._opening.job or self._worker.current()

    @property
    def origin(self) -> str | None:
        """The path of what is open, as a person opened it."""
        return self._opening.origin(self.target.path) if self.target is not None else None

    @property
    def opening(self) -> str:
        """What is being opened, as a title for people; empty if nothing is."""
        job = self._opening.job
        return job.title if job is not None else ""

    @property
    def settled(self) -> bool:
        """Whether everything that was asked for is done: opened, run, compared."""
        return not (self.job or self.running or self.continuous or (self._stale and self.session is not None))

    def cancel(self) -> None:
        """Asks what is under way in a thread to end."""
        opening = self._opening.job
        if opening is not None:
            opening.cancel.set()
            self._log.add(f"{opening.title} was cancelled.")
            return
        if self.running:
            self.stop()
            self._log.add(f"Stopped after {self.position} of {len(self.passes)} passes.")
            return
        job = self._worker.current()
        if job is not None:
            job.cancel.set()
            self._log.add("Comparison cancelled. Run again to compare.")

    def update(self) -> bool:
        """Starts a comparison where results have changed and takes up finished ones; True if something new is there."""
        changed = False
        saved = self._reloader.poll() if self._reloader is not None else None
        if saved is not None:
            self._take_up_saved(saved)
            changed = True
        for opened in self._opening.finished():
            self._take_up(opened)
            changed = True
        self._maybe_compare()
        for job in self._worker.finished():
            if job.error is None and job.result is not None:
                if self._comparer is not None and job.result.report.target == (
                    self.session.plan.name if self.session else ""
                ):
                    self.comparison = job.result
                    changed = True
                    self._log.add(job.result.summary)
            elif isinstance(job.error, TexelscopeError):
                self._log.add(str(job.error), error=True)
            elif job.error is not None and not isinstance(job.error, CancelledError):
                self._log.add(f"The comparison failed: {type(job.error).__name__}: {job.error}", error=True)
        return changed

    def _maybe_compare(self) -> None:
        if self.session is None or self._comparer is None or self.running or not self._stale:
            return
        now = time.perf_counter()
        if self.continuous and (self._worker.current() is not None or now - self._compared_at < COMPARE_EVERY_SECONDS):
            return
        self._stale = False
        self._compared_at = now
        capture = self.session.capture()
        work = partial(compare, self.session.plan, self._comparer, capture, self._worker, self.revision)
        self._worker.submit(Job("Comparing with the oracle", work))

    # -- answers -------------------------------------------------------------------------------------------

    def stored(self, name: str) -> StoredTensor | None:
        """The tensor that the pass, input or key `name` stands for."""
        return self.session.plan.stored(name) if self.session is not None else None

    def report_of(self, name: str) -> PassReport | None:
        """The newest report of the pass called `name`, if it is about data that are still there."""
        if self.comparison is None or self.session is None or not self.is_compared:
            return None
        found = self.session.plan.find(name)
        if (
            found is not None
            and not self.session.is_valid(found.output)
            and self.session.shader_error(found.name) is None
        ):
            return None
        return self.comparison.report.find(name)

    def range_of(self, key: str) -> tuple[float, float]:
        """Smallest and largest finite value of a tensor and of its oracle; (0, 1) while that is not known."""
        statistics = self.comparison.statistics.get(key) if self.comparison is not None else None
        if statistics is not None:
            return statistics.shared
        return self._values.range_of_constant(self.session, key) if self.session is not None else (0.0, 1.0)

    @property
    def is_compared(self) -> bool:
        """Whether the newest comparison is of the present inputs and shaders."""
        return self.comparison is not None and self.comparison.revision == self.revision

    def values(self, key: str) -> NDArray[np.float32] | None:
        """The tensor as it is now (logical shape), read back once for each time it was written; None before."""
        return self._values.of(self.session, key) if self.session is not None else None
