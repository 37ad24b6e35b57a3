"""Holds the state of the debugger's tables, and returns all of it in plain data, for tests that drive the window."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.words import turn_words

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.provenance import ProvenanceLink
    from texelscope.pipeline.step_trace.sums import FragmentSum


# The type in front of a declaration's name.
_DECLARES = re.compile(r"(?:(?:const|highp|mediump|lowp)\s+)*[A-Za-z_]\w*\s+(?=[A-Za-z_]\w*(?:\[[^\]]*\])?\s*=)")


@dataclass(frozen=True)
class Origin:
    """The assignments behind `what`, a variable's name or a read's text, in step `step`; or why there are none."""

    what: str
    step: int
    links: tuple[ProvenanceLink, ...] = ()
    problem: str = ""


@dataclass
class TableState:
    """The state of the tables. `lit` is the read under the mouse: a texture's key, a texel, and the frame's number.

    `draft` is the watch being typed. `texts` has the tables' texts by row, for tests from outside. `brought` is the
    fragment (pass and element) whose tables were brought to the front. `origin` is new until it was scrolled into view.
    """

    opened: set[str] = field(default_factory=set)
    call: int | None = None
    origin: Origin | None = None
    is_new: bool = False
    lit: tuple[str, tuple[int, int], int] | None = None
    draft: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    brought: tuple[str, int] | None = None
    brought_sum: tuple[str, int] | None = None

    def open_or_close(self, name: str) -> None:
        """Shows the parts of a row, or hides them."""
        self.opened.symmetric_difference_update({name})

    def light(self, key: str, texel: tuple[int, int], frame: int) -> None:
        """Records the read under the mouse, in the frame of that number."""
        self.lit = (key, texel, frame)

    def lit_at(self, frame: int) -> tuple[str, tuple[int, int]] | None:
        """Returns texture key and texel of the read under the mouse.

        A panel that is drawn before the list of reads gets it a frame later.
        """
        return self.lit[:2] if self.lit is not None and frame - self.lit[2] <= 1 else None

    def explain(self, origin: Origin | None) -> None:
        """Shows where something came from."""
        self.origin, self.is_new = origin, origin is not None


def statement(link: ProvenanceLink) -> str:
    """Returns the statement of a link without a declared type; the name of what was given."""
    declares = _DECLARES.match(link.text)
    return (link.text[declares.end() :] if declares is not None else link.text) or link.name


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
        from texelscope.pipeline.stepping.loops import turns_at

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


def tables_seen(looking: TableState, sums: FragmentSum | None) -> dict[str, Any]:
    """Returns rows by name, what is lit, and the state of the sum."""
    return {
        "rows": dict(looking.texts),
        "lit": looking.lit,
        "origin": looking.origin.what if looking.origin is not None else None,
        "sum": None
        if sums is None
        else {"terms": len(sums.terms), "first_wrong": sums.first_wrong, "reason": sums.reason},
    }
