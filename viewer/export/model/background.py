"""Writes files that take a while in a thread while the window goes on, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.export.model.exports import Exports

# Writes a file and returns its path; it calls its argument with the share done, which may raise to cancel.
Making = Callable[[Callable[[float], None]], Path]


def _nothing() -> None:
    """Does nothing after a file is written."""


class Background:
    """One file at a time; `wake` is called from the thread when there is something new to show."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[Path] = Worker(wake)
        self._then: Callable[[], None] = _nothing

    @property
    def job(self) -> Job[Path] | None:
        """The file being written."""
        job = self._worker.current()
        return job if job is not None and not job.cancel.is_set() else None

    def make(self, title: str, making: Making, then: Callable[[], None] = _nothing) -> None:
        """Starts writing a file; `then` is called between two frames when it is complete.

        Raises TexelscopeError while another one is being written.
        """
        if self.job is not None:
            raise TexelscopeError(title, "one file at a time", f"'{self.job.title}' in progress", "Wait for it to end.")

        def work(job: Job[Path]) -> Path:
            def progress(share: float) -> None:
                if job.cancel.is_set():
                    raise CancelledError
                self._worker.report(job, share)

            return making(progress)

        self._then = then
        self._worker.submit(Job(title, work))

    def cancel(self) -> None:
        """Cancels the file being written."""
        if self.job is not None:
            self.job.cancel.set()

    def take_up(self, exports: Exports, log: MessageLog) -> bool:
        """Logs the outcome of files that have ended; True if there was one."""
        jobs = self._worker.finished()
        for job in jobs:
            if job.result is not None and not job.cancel.is_set():
                exports.files, exports.problem = [job.result], ""
                log.add(f"Wrote {job.result}")
                self._then()
            elif isinstance(job.error, CancelledError) or job.cancel.is_set():
                log.add(f"{job.title}: cancelled.")
            elif job.error is not None:
                exports.problem = told(job.title, job.error)
                log.add(exports.problem, error=True)
        return bool(jobs)

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()
