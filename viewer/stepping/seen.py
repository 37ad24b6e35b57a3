"""The state of the stepper in plain data, for who looks at the window from outside."""

from __future__ import annotations

import time
from typing import Any

from texelscope.viewer.stepping.loops import turns_at
from texelscope.viewer.stepping.stepping import Stepping
from texelscope.viewer.stepping.words import turn_words


class SteppingSeen:
    """Tells it after each frame; knows how long the last motion took until its step was shown."""

    def __init__(self) -> None:
        self._asked = (0.0, 0.0)
        self._waits = False
        self._shown_ms: tuple[float, float] | None = None

    def after_frame(self, stepping: Stepping) -> dict[str, Any] | None:
        """What is stepped through, where, and what is known there; None where nothing is.

        `shown_ms` is the time from the frame that saw the last motion asked for to the end of the one that showed it,
        and the processor time, of all threads, from the motion on.
        """
        if self._waits:
            since, used = time.perf_counter() - self._asked[0], time.process_time() - self._asked[1]
            self._shown_ms, self._waits = (since * 1e3, used * 1e3), False
        if stepping.asked != self._asked:  # asked for by this frame: the next one shows it
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
