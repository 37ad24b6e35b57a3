"""Keeps the messages of the log panel: what happened, what went wrong, what to do next."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from texelscope.layouts.outside_text import logger, one_line
from texelscope.pipeline.crash_report.fault_log import told

MAX_ENTRIES = 2000
_logger = logger("texelscope.window")


@dataclass(frozen=True)
class LogEntry:
    """One message; `level` is info, warning or error."""

    clock: str
    level: str
    text: str


class MessageLog:
    """Keeps the newest messages, oldest first; the same lines go to Python's logging."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self.unread_errors = 0

    def add(self, text: str, *, warning: bool = False, error: bool = False) -> None:
        """Adds a message, as one line."""
        text = one_line(text)
        level = "error" if error else "warning" if warning else "info"
        self.entries.append(LogEntry(time.strftime("%H:%M:%S"), level, text))
        self.unread_errors += error
        del self.entries[:-MAX_ENTRIES]
        _logger.log({"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}[level], "%s", text)

    def warn_of_new(self, texts: Iterable[str]) -> None:
        """Adds those texts as warnings that the log does not contain yet."""
        known = {entry.text for entry in self.entries}
        for text in map(one_line, texts):
            if text not in known:
                self.add(text, warning=True)


class Failures:
    """Reports unexpected errors in the log, each with a file that holds the details.

    Drawing code fails again in every frame: each place in the code is reported once, and written down once.
    """

    def __init__(self, log: MessageLog) -> None:
        self._log = log
        self._lines: dict[tuple[str, str, int | None], str] = {}

    def report(self, who: str, error: Exception, *, each_time: bool = False) -> str:
        """Returns the log line of the failure, and logs it; with `each_time` a repeated failure is logged again."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        place = (who, last[0].filename, last[0].lineno) if last else (who, "", None)
        is_new = place not in self._lines
        if is_new:
            self._lines[place] = told(who, error)
        if is_new or each_time:
            self._log.add(self._lines[place], error=True)
        return self._lines[place]
