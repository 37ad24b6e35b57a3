"""Measures how far a start has come: steps as log records, with the time since the process began.

They show where the time to the first result went. A step is `mark`ed when it is done; a `StartMarks`
handler collects what was marked, and `--debug` prints it.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TextIO

Step = Literal[
    "imported",  # the command line is read, and what the command needs of this program to begin is imported
    "window",  # there is a window with a GL context
    "first frame",  # it shows something
    "context",  # there is a GL context without a window
    "read",  # the model is a graph
    "planned",  # the graph is a plan
    "opened",  # the session is there, its inputs set
    "ran",  # every pass has run once and the GPU is done
    "first picture",  # a frame shows what the passes made
    "compared",  # there is a verdict for each pass
]
_LOG = logging.getLogger("texelscope.start")
# Python's own start is part of the time to the first result; this is the best guess without the system's time.
_IMPORTED = time.time()


@dataclass(frozen=True)
class Mark:
    """Marks a step as done, in seconds since the process began: `wall` by the clock, `cpu` over all its threads."""

    step: str
    wall: float
    cpu: float


def mark(step: Step) -> None:
    """Records that a step is done; costs nothing while nobody listens."""
    if _LOG.isEnabledFor(logging.DEBUG):
        found = Mark(step, time.time() - process_start(), time.process_time())
        _LOG.debug("%-14s %6.3f s, %6.3f s of CPU", step, found.wall, found.cpu, extra={"mark": found})


class StartMarks(logging.Handler):
    """Collects the marks that are set while it is entered, in order; the first of each step counts."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._marks: dict[str, Mark] = {}
        self._level_before = logging.NOTSET

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks so far."""
        return tuple(self._marks.values())

    def emit(self, record: logging.LogRecord) -> None:
        """Takes the mark of a record."""
        found = getattr(record, "mark", None)
        if isinstance(found, Mark):
            self._marks.setdefault(found.step, found)

    def __enter__(self) -> Self:
        self._level_before = _LOG.level
        _LOG.setLevel(logging.DEBUG)
        _LOG.addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _LOG.removeHandler(self)
        _LOG.setLevel(self._level_before)


class SayMarks(StartMarks):
    """Prints each mark when it is set, in a line on `stream`."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        """Takes and prints the mark of a record."""
        known = len(self.marks)
        super().emit(record)
        if len(self.marks) > known:
            print(record.getMessage(), file=self._stream, flush=True)


def process_start(processes: Path = Path("/proc")) -> float:
    """Returns when this process began, in seconds as `time.time` counts them; on Linux to a hundredth of a second.

    `processes` is where Linux shows its processes; without that the time counts from the import of this module.
    """
    try:
        return _start_on_linux(processes) if sys.platform == "linux" else _start_elsewhere()
    except (OSError, RuntimeError, ValueError, IndexError):
        return _IMPORTED


def _start_on_linux(processes: Path) -> float:
    # Field 22 of proc(5)'s stat; the second, the program's name in brackets, may hold spaces.
    fields = (processes / "self" / "stat").read_bytes().rpartition(b")")[2].split()
    since_boot = int(fields[19]) / os.sysconf("SC_CLK_TCK")
    return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + since_boot


def _start_elsewhere() -> float:
    import psutil  # a separate library, not needed on Linux

    try:
        return float(psutil.Process().create_time())
    except psutil.Error:
        return _IMPORTED
