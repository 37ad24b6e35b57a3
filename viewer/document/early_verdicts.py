"""Holds the verdicts that a comparison under way has found so far, and estimates how long it will take.

The comparison's thread adds them one by one; the window's thread reads them at any time.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.report import UNBLAMED, PassReport
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.compare.isolated import IsolatedReport

# The last passes, as a part of all, whose time says how long the next ones will take: layers differ in size.
_RECENT = 1 / 8
# An estimate after less than this would be a guess.
_LEAST_SECONDS = 0.5
_MINUTE = 60.0


class EarlyVerdicts:
    """Verdicts of one comparison, of passes on their own inputs, as far as they are known.

    `number` and `revision` are those of the comparison, `capture` is what it compares. `count` passes of `total` are
    judged, `matching` of them match. When all are, `share` in [0, 1] says how much of the rest is done: the comparison
    end to end, ranges and histograms.
    """

    def __init__(
        self, number: int, revision: int, plan: Plan, capture: Capture, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """`clock` returns seconds; only differences count."""
        self.number, self.revision, self.capture = number, revision, capture
        self.total = len(plan.passes)
        self.share = 0.0
        self._plan = plan
        self._clock = clock
        self._reports: dict[str, PassReport] = {}
        self._expected: dict[str, Expected] = {}
        self._times = [clock()]
        self._lock = threading.Lock()
        self.matching = 0
        self._first_wrong: PassReport | None = None

    @property
    def count(self) -> int:
        """The number of judged passes."""
        return len(self._reports)

    @property
    def first_wrong(self) -> PassReport | None:
        """The report of the first pass of the plan that is wrong, among those judged so far."""
        return self._first_wrong

    def add(self, alone: IsolatedReport) -> None:
        """Adds a verdict, and what the pass should have made."""
        report, position = alone.report, self._plan.position
        with self._lock:
            self._expected.update(alone.expected)
            self._reports[report.name] = report
            self.matching += report.verdict == "match"
            first = self._first_wrong
            if report.verdict not in UNBLAMED and (first is None or position(report.name) < position(first.name)):
                self._first_wrong = report
            self._times.append(self._clock())

    def find(self, name: str) -> PassReport | None:
        """Returns the report of the pass called `name`, if it is judged."""
        return self._reports.get(name)

    def expected(self, key: str) -> Expected | None:
        """Returns what the output `key` should be on the pass's own inputs, if its pass is judged."""
        return self._expected.get(key)

    @property
    def progress(self) -> float:
        """The finished share of what `words` describes."""
        return self.count / self.total if self.count < self.total else self.share

    @property
    def words(self) -> str:
        """How far the comparison is and how long it will take, as in `210 of 668, about 20 s left`."""
        left = left_words(self._seconds_left())
        if self.count < self.total:
            return f"{self.count} of {self.total}{left}"
        return f"end to end, {self.share:.0%}{left}"

    def _seconds_left(self) -> float | None:
        """Returns the seconds until all passes are judged, or after that until the rest is done; None at first."""
        with self._lock:
            times, count = self._times, self.count
            recent = min(count, math.ceil(self.total * _RECENT))
            elapsed, since = self._clock() - times[0], self._clock() - times[count - recent]
            rest = self._clock() - times[-1]
        if count < self.total:
            return since / recent * (self.total - count) if recent and elapsed >= _LEAST_SECONDS else None
        return rest / self.share * (1.0 - self.share) if self.share > 0.0 and rest >= _LEAST_SECONDS else None


def left_words(seconds: float | None) -> str:
    """Formats seconds that are left, rounded as an estimate is; empty if they are unknown."""
    if seconds is None:
        return ""
    if seconds >= 2 * _MINUTE:
        return f", about {round(seconds / _MINUTE)} min left"
    rounded = math.ceil(seconds) if seconds < 10.0 else 5 * math.ceil(seconds / 5.0)
    return f", about {max(rounded, 1)} s left"
