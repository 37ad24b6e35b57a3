"""Files that take a while to make, written in a thread while the window goes on; one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.viewer.document.exports import Exports
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog

# Makes a file and gives its path; it is to call its argument with its share done, which may end it.
Making = Callable[[Callable[[float], None]], Path]


def _nothing() -> None:
    """What follows a file that nothing follows."""


class Background:
    """`wake` is called from the thread when there is something new to show."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[Path] = Worker(wake)
        self._then: Callable[[], None] = _nothing

    @property
    def job(self) -> Job[Path] | None:
        """The file under way."""
        job = self._worker.current()
        return job if job is not None and not job.cancel.is_set() else None

    def make(self, title: str, making: Making, then: Callable[[], None] = _nothing) -> None:
        """Begins a file; `then` is called between two frames when it is there.

        Raises TexelscopeError while another is under way.
        """
        if self.job is not None:
            raise TexelscopeError(title, "one file at a time", f"'{self.job.title}' under way", "Wait for it.")

        def work(job: Job[Path]) -> Path:
            def progress(share: float) -> None:
                if job.cancel.is_set():
                    raise CancelledError
                self._worker.report(job, share)

            return making(progress)

        self._then = then
        self._worker.submit(Job(title, work))

    def cancel(self) -> None:
        """Gives up the file under way."""
        if self.job is not None:
            self.job.cancel.set()

    def take_up(self, exports: Exports, log: MessageLog) -> bool:
        """Tells what has become of the files that were begun; True if one has ended."""
        jobs = self._worker.finished()
        for job in jobs:
            if job.result is not None and not job.cancel.is_set():
                exports.files, exports.problem = [job.result], ""
                log.add(f"Written: {job.result}")
                self._then()
            elif isinstance(job.error, CancelledError) or job.cancel.is_set():
                log.add(f"{job.title}: cancelled.")
            elif job.error is not None:
                exports.problem = told(job.title, job.error)
                log.add(exports.problem, error=True)
        return bool(jobs)

    def close(self) -> None:
        """Lets the thread go."""
        self._worker.close()
