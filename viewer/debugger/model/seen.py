"""Returns the debugger's state in plain data, for tests that drive the window from outside."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from texelscope.viewer.debugger.model.looking import Looking
from texelscope.viewer.debugger.model.loops import turns_at
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.words import turn_words

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.trace.sums import FragmentSum


class SteppingSeen:
    """Collects the state after each frame, and how long the last motion took until its step was shown."""

    def __init__(self) -> None:
        self._asked = (0.0, 0.0)
        self._waits = False
        self._shown_ms: tuple[float, float] | None = None

    def after_frame(self, stepping: Stepping) -> dict[str, Any] | None:
        """Returns what is stepped through, the present step, and what is known there; None without a trace.

        `shown_ms` is the time from the frame that saw the last motion to the end of the frame that showed it, and the
        processor time of all threads since the motion.
        """
        if self._waits:
            since, used = time.perf_counter() - self._asked[0], time.process_time() - self._asked[1]
            self._shown_ms, self._waits = (since * 1e3, used * 1e3), False
        if stepping.asked != self._asked:  # requested in this frame: the next one shows it
            self._asked, self._waits, self._shown_ms = stepping.asked, True, None
        if stepping.of is None:
            return None
        step, trace = stepping.step, stepping.trace
        return {
            "of": stepping.of,
            "at": stepping.at,
            "total": trace.total if trace is not None else 0,
            "line": step.line if step is not None else None,
            "text": step.text if step is not None else "",
            "function": step.function if step is not None else "",
            "turns": [turn_words(turn) for turn in turns_at(stepping.index, stepping.at)] if stepping.index else [],
            "variables": {each.name: each.value for each in stepping.variables()},
            "outputs": dict(trace.outputs) if trace is not None else {},
            "breakpoints": [[*line, condition] for line, condition in stepping.breakpoints.items()],
            "problem": stepping.problem,
            "stale": stepping.is_stale,
            "wanted": stepping.wanted,
            "shown_ms": self._shown_ms,
        }


def tables_seen(looking: Looking, sums: FragmentSum | None) -> dict[str, Any]:
    """Returns rows by name, what is lit, and the state of the sum."""
    return {
        "rows": dict(looking.texts),
        "lit": looking.lit,
        "origin": looking.origin.what if looking.origin is not None else None,
        "sum": None
        if sums is None
        else {"terms": len(sums.terms), "first_wrong": sums.first_wrong, "reason": sums.reason},
    }
