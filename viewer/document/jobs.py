"""Runs work that must not stop the window in one worker thread; the newest request wins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from texelscope.pipeline.deadline import unless
from texelscope.pipeline.errors import CancelledError

Result = TypeVar("Result")

REPORT_EVERY_SECONDS = 0.1


@dataclass
class Job(Generic[Result]):
    """Describes a piece of work: `progress` is in [0, 1], `cancel` requests its end."""

    title: str
    work: Callable[[Job[Result]], Result]
    cancel: threading.Event = field(default_factory=threading.Event)
    progress: float = 0.0
    result: Result | None = None
    error: Exception | CancelledError | None = None
    done: bool = False


class Worker(Generic[Result]):
    """Runs jobs one after the other; a waiting job is replaced by a newer one.

    `wake` is called from the worker's thread when something has changed that a frame should show.
    """

    def __init__(
        self,
        wake: Callable[[], None],
        *,
        show_progress: Callable[[], None] | None = None,
        report_every: float = REPORT_EVERY_SECONDS,
    ) -> None:
        """Starts no thread yet; `report_every` is the least time in seconds between frames that show progress.

        For these `show_progress` is called in place of `wake`, if it is there.
        """
        self._wake, self._show_progress = wake, show_progress or wake
        self._every = report_every
        self._condition = threading.Condition()
        self._waiting: Job[Result] | None = None
        self._running: Job[Result] | None = None
        self._finished: list[Job[Result]] = []
        self._closing = False
        self._reported = -report_every
        self._thread = threading.Thread(target=self._loop, name="comparison", daemon=True)
        self._thread.start()

    def submit(self, job: Job[Result]) -> None:
        """Runs `job` next, in place of any that waits; asks a running one to end."""
        with self._condition:
            self._waiting = job
            if self._running is not None:
                self._running.cancel.set()
            self._condition.notify()

    def cancel(self) -> None:
        """Drops a waiting job and asks a running one to end."""
        with self._condition:
            self._waiting = None
            if self._running is not None:
                self._running.cancel.set()

    def current(self) -> Job[Result] | None:
        """The newest job that was not collected yet: it waits, runs, or has ended."""
        with self._condition:
            return self._waiting or self._running or (self._finished[-1] if self._finished else None)

    def finished(self) -> list[Job[Result]]:
        """Returns the jobs that ended since the last call, oldest first."""
        with self._condition:
            jobs, self._finished = self._finished, []
            return jobs

    def close(self) -> None:
        """Asks the running job to end and ends the thread."""
        with self._condition:
            self._closing = True
            self._waiting = None
            if self._running is not None:
                self._running.cancel.set()
            self._condition.notify()
        self._thread.join(timeout=5.0)

    def report(self, job: Job[Result], share: float, *, at_once: bool = False) -> None:
        """Reports a job's progress from inside the work; unless it is to be shown `at_once`, not every step does."""
        job.progress = share
        now = time.perf_counter()
        if at_once or now - self._reported >= self._every:
            self._reported = now
            self._show_progress()

    def _loop(self) -> None:
        while True:
            with self._condition:
                while self._waiting is None and not self._closing:
                    self._condition.wait()
                if self._closing:
                    return
                job = self._running = self._waiting
                self._waiting = None
            assert job is not None
            try:
                with unless(job.cancel.is_set):
                    job.result = job.work(job)
            except (Exception, CancelledError) as error:  # noqa: BLE001 - the window shows any failure and goes on
                job.error = error
            with self._condition:
                job.done = True
                self._running = None
                self._finished.append(job)
            del job  # frees what it holds, which may be large, while idle
            self._wake()
