"""Reports unexpected failures in the window: a line of the log, with a file that holds the details.

Drawing code fails again in every frame: each place in the code is reported once, and written down once.
"""

from __future__ import annotations

import traceback

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.viewer.document.log import MessageLog


class Failures:
    """Keeps the lines by what failed and where."""

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
