"""Reads a capture of another device beside the open session, and judges it in a thread, from values alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import PassReport, Report
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog

if TYPE_CHECKING:  # imported with the first capture that is opened
    from texelscope.pipeline.captured.reading import Captured

Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class ShownCapture:
    """A capture and its report. `number` grows from one to the next and identifies its pictures.

    `is_diagnosed` says that causes were searched. `right` has by key what the oracle says of the device's tensors, on
    the inputs that each pass had there.
    """

    number: int
    captured: Captured
    report: Report
    is_diagnosed: bool
    right: Mapping[str, Expected]

    @property
    def renderer(self) -> str:
        """The device's own name."""
        return self.report.device.renderer

    def stored(self, key: str) -> StoredTensor | None:
        """Returns how the device stored a tensor; None if it was not captured."""
        return self.captured.plan.textures[key] if key in self.captured.capture.tensors else None

    def texels(self, key: str) -> NDArray[np.float32]:
        """Returns the captured tensor as texels [height, width, lanes]; unpadded if it was no texture."""
        stored, texels = self.captured.plan.textures[key], self.captured.texels.get(key)
        return stored.encode(self.captured.capture.tensors[key]) if texels is None else texels


class OtherDevice:
    """The open capture, `newest`; it is closed with the session that it was opened beside."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[ShownCapture] = Worker(wake)
        self._session: DebugSession | None = None
        self._wanted: Path | None = None
        self._asked: Job[ShownCapture] | None = None
        self._number = 0
        self._fits: tuple[int, Plan, bool] | None = None  # of the capture of that number, beside that plan
        self.newest: ShownCapture | None = None

    @property
    def job(self) -> Job[ShownCapture] | None:
        """The work under way."""
        return self._worker.current() if self._asked is not None else None

    def open(self, path: Path) -> None:
        """Opens a capture (a folder, or its manifest) beside the session, as soon as there is one."""
        self._wanted = path

    def close_capture(self) -> None:
        """Closes the capture."""
        self._wanted = self._asked = self.newest = None
        self._worker.cancel()

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()

    def shown_beside(self, session: DebugSession | None) -> ShownCapture | None:
        """Returns the capture, if it matches the session as it is now."""
        if self.newest is None or session is None or session is not self._session:
            return None
        number, plan, _ = self._fits or (0, None, False)
        if number != self.newest.number or plan is not session.plan:
            self._fits = self.newest.number, session.plan, _alike(self.newest.captured.plan, session.plan)
        assert self._fits is not None
        return self.newest if self._fits[2] else None

    def report_of(self, session: DebugSession | None, name: str) -> PassReport | None:
        """Returns the capture's report on a pass; None without a capture, and for what is no pass."""
        shown = self.shown_beside(session)
        return shown.report.find(name) if shown is not None else None

    def update(self, session: DebugSession | None, log: MessageLog) -> bool:
        """Starts requested work and collects finished work; True if something is new. Call in the window's thread."""
        if session is not self._session:
            if self.newest is not None:
                log.add("The capture was closed together with the target that it was opened beside.")
            self._session, self.newest, self._asked = session, None, None
            self._worker.cancel()
        if self._wanted is not None and session is not None:
            given = {key: session.tensor(key) for key in session.plan.given if session.is_valid(key)}
            self._number += 1
            work = partial(_read, path=self._wanted, plan=session.plan, given=given, number=self._number)
            self._begin(Job("Reading the capture", work))
            self._wanted = None
        changed = False
        for job in self._worker.finished():
            changed |= self._take_up(job, log)
        return changed

    def _begin(self, job: Job[ShownCapture]) -> None:
        self._asked = job
        self._worker.submit(job)

    def _take_up(self, job: Job[ShownCapture], log: MessageLog) -> bool:
        if job is not self._asked:  # cancelled
            return False
        self._asked = None
        if job.result is None:
            if job.error is not None and not isinstance(job.error, CancelledError):
                log.add(told("the capture", job.error), error=True)
            return True
        shown = self.newest = job.result
        if not shown.is_diagnosed:
            for note in shown.captured.notes:
                log.add(note, warning=True)
            matching = sum(each.verdict == "match" for each in shown.report.passes)
            there = sum(each.verdict != "not_run" for each in shown.report.passes)
            log.add(f"Captured on {shown.renderer}: {matching} of {there} captured passes match.")
            if shown.report.culprit is not None:
                self._begin(Job("Diagnosing the capture", partial(_diagnose, shown=shown)))
        return True


def _alike(there: Plan, here: Plan) -> bool:
    """Returns whether two plans have the same tensors."""
    shapes = [{key: stored.shape for key, stored in plan.textures.items()} for plan in (there, here)]
    return shapes[0] == shapes[1]


def _read(job: Job[ShownCapture], *, path: Path, plan: Plan, given: Values, number: int) -> ShownCapture:
    from texelscope.pipeline.captured.judging import judge
    from texelscope.pipeline.captured.reading import read_captured

    captured = read_captured(path, plan, given)
    judged = judge(captured, findings=False, cancel=job.cancel)
    right = dict(judged.comparer.isolated_values())
    return ShownCapture(number, captured, judged.report, is_diagnosed=False, right=right)


def _diagnose(job: Job[ShownCapture], *, shown: ShownCapture) -> ShownCapture:
    from texelscope.pipeline.captured.judging import judge

    return replace(shown, report=judge(shown.captured, cancel=job.cancel).report, is_diagnosed=True)
