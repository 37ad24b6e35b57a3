"""Holds the debugger's state: the trace, the step that would run next, breakpoints and watches, and every motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping import motions
from texelscope.pipeline.stepping.motions import Motion, Side

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Trace, TraceStep
    from texelscope.pipeline.stepping.index import Key, TraceIndex, VariableValue


@dataclass
class Stepping:
    """Holds the position in the run of a fragment.

    `at` is the number of the step that would run next; the trace's `total` is the end. `was` is the position before the
    last motion. `watches` are recorded GLSL expressions; `breakpoints` lines with their condition, empty for none.
    `problem` says why there is no trace. `sums` are the running sums of this trace and the oracle's, None if unknown.

    `wanted` says on which side of the recorded window more steps are needed: a motion is then in progress, and
    continues with the trace given to `take_window`.

    `of` is the pass and the element (linear index) of the fragment, `made_of` what its trace depends on (see
    `viewer.debugger.model.taking`), `recorded` the expressions that were requested. While it `is_stale` the fragment
    may run differently by now: its values are shown as old ones, if at all.

    `caret` is the line of the caret in the visible text, `shown` the step that was scrolled into view last; `asked` is
    when the last motion was requested, in seconds of `time.perf_counter` and `time.process_time`.
    """

    trace: Trace | None = None
    at: int = 0
    was: int = 0
    watches: list[str] = field(default_factory=list)
    breakpoints: dict[Line, str] = field(default_factory=dict)
    problem: str = ""
    sums: Any = None
    wanted: Side | None = None
    of: tuple[str, int] | None = None
    made_of: tuple[object, ...] | None = None
    recorded: tuple[str, ...] = ()
    is_stale: bool = False
    caret: Line | None = None
    shown: tuple[Line, int] | None = None
    asked: tuple[float, float] = (0.0, 0.0)
    _index: TraceIndex | None = None
    _under_way: Motion | None = None

    # -- traces --------------------------------------------------------------------------------------------

    def take(self, trace: Trace, at: int | None = None) -> None:
        """Switches to another trace, at its beginning or before step `at`, or the nearest recorded one."""
        from texelscope.pipeline.stepping.index import TraceIndex

        self.trace, self._index = trace, TraceIndex(trace)
        end = self._index.end
        self.at = self.was = min(max(self._index.first if at is None else at, self._index.first), end)
        self.problem, self.sums, self.wanted, self._under_way = "", None, None, None
        self.is_stale = False

    def take_window(self, trace: Trace) -> None:
        """Continues the motion in progress in another window of the same run."""
        motion, at, was = self._under_way, self.at, self.was
        self.take(trace, at)
        self.was = was
        if motion is not None:
            self.at = at
            self._go(motion)

    def wanted_window(self) -> tuple[int, int] | None:
        """Returns the first step, and the one after the last, that the present motion needs; None without one."""
        index = self._index
        if self.wanted is None or index is None:
            return None
        total, count = index.trace.total, max(len(index.steps), 1)
        if isinstance(self._under_way, motions.ToNumber):  # around it, so that the next step is recorded too
            first = min(max(self._under_way.number - count // 2, 0), max(total - count, 0))
        else:
            first = index.end if self.wanted == "after" else max(index.first - count, 0)
        return first, min(first + count, total)

    def end(self) -> None:
        """Drops the trace; breakpoints and watches stay."""
        self.trace = self._index = self._under_way = self.wanted = self.sums = None
        self.at = self.was = 0
        self.of = self.made_of = None
        self.recorded = ()
        self.is_stale = False
        self.problem = ""

    # -- what is there -------------------------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether there is a trace to step through."""
        return self.trace is not None

    @property
    def index(self) -> TraceIndex | None:
        """The trace's index."""
        return self._index

    @property
    def step(self) -> TraceStep | None:
        """The step that would run next; None at the end."""
        return self._index.step(self.at) if self._index is not None else None

    @property
    def first_wrong(self) -> TraceStep | None:
        """The step where the sum first differs from the oracle's; None if it does not, or is unknown."""
        sums, index = self.sums, self._index
        if sums is None or sums.first_wrong is None or index is None:
            return None
        return index.step(sums.terms[sums.first_wrong].step)

    @property
    def place(self) -> tuple[Line, int] | None:
        """The line to show, and its step: the one that would run next, at the end the last one."""
        index = self._index
        step = self.step or (index.steps[-1] if index is not None and index.steps and self.at == index.end else None)
        return (step.line, self.at) if step is not None else None

    @property
    def expressions(self) -> tuple[str, ...]:
        """Returns what a trace should record in addition: watches, and conditions of breakpoints, each once."""
        return tuple(dict.fromkeys((*self.watches, *(text for text in self.breakpoints.values() if text))))

    def variables(self) -> tuple[VariableValue, ...]:
        """Returns the variables in scope now, as `TraceIndex.variables`."""
        return self._index.variables(self.at) if self._index is not None else ()

    def changed(self) -> frozenset[Key]:
        """Returns the variables that the last motion assigned."""
        return self._index.changed(self.was, self.at) if self._index is not None else frozenset()

    # -- motions -------------------------------------------------------------------------------------------

    def into(self) -> None:
        """Goes one step forward."""
        self._move(motions.into)

    def back_into(self) -> None:
        """Goes one step back."""
        self._move(motions.back_into)

    def over(self) -> None:
        """Goes to the next line of this call, or of its caller."""
        self._move(motions.over)

    def back_over(self) -> None:
        """Goes to the beginning of the previous line, in this call or its caller."""
        self._move(motions.back_over)

    def out(self) -> None:
        """Goes behind the present call."""
        self._move(motions.out)

    def back_out(self) -> None:
        """Goes to the step that made the present call."""
        self._move(motions.back_out)

    def next_turn(self) -> None:
        """Goes to the next turn of the innermost loop, or behind it."""
        self._move(motions.next_turn)

    def previous_turn(self) -> None:
        """Goes to the previous turn of the innermost loop, or before it."""
        self._move(motions.previous_turn)

    def next_read(self) -> None:
        """Goes to the next step that reads a texture."""
        self._move(motions.next_read)

    def previous_read(self) -> None:
        """Goes to the previous step that read a texture."""
        self._move(motions.previous_read)

    def to_line(self, line: Line) -> None:
        """Goes to the next step at a line, or at the first line below it with code."""
        self._begin(motions.to_line(line))

    def back_to_line(self, line: Line) -> None:
        """Goes to the previous step at a line, or at the first line below it with code."""
        self._begin(motions.back_to_line(line))

    def to_breakpoint(self) -> None:
        """Goes to the next step at a breakpoint whose condition is true; to the end if there is none."""
        self._begin(motions.to_breakpoint(dict(self.breakpoints)))

    def back_to_breakpoint(self) -> None:
        """Goes to the previous step at a breakpoint whose condition is true; to the beginning if there is none."""
        self._begin(motions.back_to_breakpoint(dict(self.breakpoints)))

    def to_step(self, number: int) -> None:
        """Goes to the step of that number, or the nearest one."""
        self._begin(motions.ToNumber(number))

    def to_start(self) -> None:
        """Goes to the first step."""
        self.to_step(0)

    def to_end(self) -> None:
        """Goes behind the last step."""
        self.to_step(self.trace.total if self.trace is not None else 0)

    def _move(self, motion: Callable[[TraceIndex, int], Motion]) -> None:
        if self._index is not None and self.wanted is None:  # during a motion there is no position
            self._begin(motion(self._index, self.at))

    def _begin(self, motion: Motion) -> None:
        self.was = self.at
        self._go(motion)

    def _go(self, motion: Motion) -> None:
        if self._index is None:
            return
        found = motion.found(self._index, self.at)
        if isinstance(found, int):
            self.at, self.wanted, self._under_way = found, None, None
        else:
            self.wanted, self._under_way = found, motion
