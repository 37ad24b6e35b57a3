"""One worker thread for what must not stop the window: comparisons. The newest request wins."""

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
    """A piece of work under way: `progress` in [0, 1], `cancel` to ask for its end."""

    title: str
    work: Callable[[Job[Result]], Result]
    cancel: threading.Event = field(default_factory=threading.Event)
    progress: float = 0.0
    result: Result | None = None
    error: Exception | CancelledError | None = None
    done: bool = False


class Worker(Generic[Result]):
    """Runs jobs one after the other; a job that was not begun gives way to a newer one.

    `wake` is called from the worker's thread when something has changed that a frame should show.
    """

    def __init__(self, wake: Callable[[], None], *, report_every: float = REPORT_EVERY_SECONDS) -> None:
        """`report_every` is how many seconds lie between frames that show how far a job is, at least."""
        self._wake = wake
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
        """Does `job` next, in place of any that waits; asks a running one to end."""
        with self._condition:
            self._waiting = job
            if self._running is not None:
                self._running.cancel.set()
            self._condition.notify()

    def cancel(self) -> None:
        """Forgets a job that waits and asks a running one to end."""
        with self._condition:
            self._waiting = None
            if self._running is not None:
                self._running.cancel.set()

    def current(self) -> Job[Result] | None:
        """The newest job whose end nobody has heard of: one that waits, is under way, or is not taken up yet."""
        with self._condition:
            return self._waiting or self._running or (self._finished[-1] if self._finished else None)

    def finished(self) -> list[Job[Result]]:
        """Jobs that ended since the last call, oldest first."""
        with self._condition:
            jobs, self._finished = self._finished, []
            return jobs

    def close(self) -> None:
        """Asks the running job to end and lets the thread go."""
        with self._condition:
            self._closing = True
            self._waiting = None
            if self._running is not None:
                self._running.cancel.set()
            self._condition.notify()
        self._thread.join(timeout=5.0)

    def report(self, job: Job[Result], share: float) -> None:
        """For the work itself: how far it is. A bar that moves needs no frame for each of its steps."""
        job.progress = share
        now = time.perf_counter()
        if now - self._reported >= self._every:
            self._reported = now
            self._wake()

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
            except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever it is, the window shows it and lives on
                job.error = error
            with self._condition:
                job.done = True
                self._running = None
                self._finished.append(job)
            del job  # with what it holds, which may be large, while there is nothing to do
            self._wake()
