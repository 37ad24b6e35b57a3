"""Runs the open shader in every mode and pack, in a separate process that spares the window's driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.pipeline.workers.own_process import own_command, own_environment, unseen
from texelscope.pipeline.workers.windows_job import end_with_this_process
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog

if TYPE_CHECKING:
    from texelscope.pipeline.modes.table import ModeTable

_POLL_SECONDS = 0.05
# The options that each row of the table sets itself: mode and pack.
_OF_A_CELL = ("mode", "pack")


class ModeRuns:
    """The last table, `table`, and its target, `of`; None while there is none."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[ModeTable] = Worker(wake)
        self._asked: tuple[Job[ModeTable], Target] | None = None
        self.table: ModeTable | None = None
        self.of: Target | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether a table is being made."""
        return self._asked is not None

    def fits(self, target: Target | None) -> bool:
        """Returns whether the table, or the one being made, is about that target in any mode."""
        of = self._asked[1] if self._asked is not None else self.of
        return target is not None and of is not None and _same(of, target)

    def run(self, target: Target) -> None:
        """Starts a table of that target."""
        job: Job[ModeTable] = Job("Modes", partial(_table, target=target))
        self._asked = job, target
        self._worker.submit(job)

    def update(self, log: MessageLog) -> bool:
        """Collects a finished table; True if something is new. Call in the window's thread."""
        changed = False
        for job in self._worker.finished():
            if self._asked is None or job is not self._asked[0]:
                continue
            (_, self.of), self._asked, self.table = self._asked, None, job.result
            changed = True
            if job.error is not None and not isinstance(job.error, CancelledError):
                log.add(told("the table of modes", job.error), error=True)
            elif job.result is not None:
                log.add(f"Every mode and pack of {job.result.target}: {job.result.conclusion}")
        return changed

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()


def _same(one: Target, other: Target) -> bool:
    return one.path == other.path and _said(one) == _said(other)


def _said(target: Target) -> list[str]:
    dialect = target.options.dialect
    return [f"{name}={value}" for name, value in sorted(dialect.items()) if name not in _OF_A_CELL]


def _table(job: Job[ModeTable], *, target: Target) -> ModeTable:
    from texelscope.pipeline.modes.table import table_of

    words = [word for each in _said(target) for word in ("--param", each)]
    process = subprocess.Popen(
        own_command("texelscope", "modes", target.path, *words, "--json", "-"),
        env=own_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="backslashreplace",  # of a driver
        creationflags=unseen(),
    )
    end_with_this_process(process)
    try:
        while process.poll() is None and not job.cancel.is_set():
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        if job.cancel.is_set():
            raise CancelledError
        output, problem = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if not output.strip():
        said = (problem.strip().splitlines() or ["nothing"])[-1]
        raise TexelscopeError("Modes", "a table", said, "Run 'modes' on the command line for more.")
    return table_of(output)
