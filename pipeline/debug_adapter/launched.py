"""Joins a recording and the walk through it: records what breakpoints ask for, and computes watches at one step."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set

from texelscope.pipeline.debug_adapter.hit_condition import hit_condition
from texelscope.pipeline.debug_adapter.lines import stopping_line
from texelscope.pipeline.debug_adapter.recording import Recording, SteppedText
from texelscope.pipeline.debug_adapter.shown import ShownValue, given, lanes_value, named, variables
from texelscope.pipeline.debug_adapter.stops import Breakpoint, Filter, PlacedBreakpoint, WantedBreakpoint, watched_type
from texelscope.pipeline.debug_adapter.walk import Walk
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.short_text import cut
from texelscope.pipeline.step_trace.sums import FragmentSum
from texelscope.pipeline.step_trace.trace import Trace
from texelscope.pipeline.stepping.index import CallFrame
from texelscope.pipeline.stepping.numbers import exact
from texelscope.pipeline.stepping.reads import index_text

# So many watched expressions are computed together, the newest.
_MOST_WATCHES = 24
_NAME = re.compile(r"\s*[A-Za-z_]\w*\s*")


class Launched:
    """Holds a recorded fragment and the position in it. Its owner releases it."""

    def __init__(self, recording: Recording) -> None:
        """Takes over the recording. Raises TexelscopeError where the fragment cannot be recorded."""
        self.recording = recording
        self._watches: tuple[str, ...] = ()
        # The last step for which expressions were computed, with them.
        self._watched_at: tuple[int, tuple[str, ...], Trace] | None = None
        self._sums: tuple[FragmentSum | None] | None = None
        self.walk = Walk(recording.trace())

    def release(self) -> None:
        """Frees every GL object."""
        self.recording.release()

    def go_on_as(self, before: Launched) -> None:
        """Takes over the breakpoints, filters and watches of another one."""
        self.walk.breakpoints = {
            file: tuple(each for each in points if any(each.line[0] == text.name for text in self.recording.texts))
            for file, points in before.walk.breakpoints.items()
        }
        self.walk.filters, self._watches = before.walk.filters, before._watches
        self._record_wanted()

    # -- breakpoints ---------------------------------------------------------------------------------------

    def set_breakpoints(self, text: SteppedText, wanted: Sequence[WantedBreakpoint]) -> tuple[PlacedBreakpoint, ...]:
        """Replaces the breakpoints of a file; returns what became of each."""
        made = tuple(self._made(text, each) for each in wanted)
        self.walk.breakpoints[text.name] = tuple(each.breakpoint for each in made if each.breakpoint is not None)
        self.walk.search_again()
        self._record_wanted()
        return tuple(self._judged(each) for each in made)

    def set_filters(self, filters: Set[Filter]) -> None:
        """Replaces the kinds of events that runs stop at."""
        self.walk.filters = filters
        self.walk.search_again()

    def _made(self, text: SteppedText, wanted: WantedBreakpoint) -> PlacedBreakpoint:
        line = stopping_line(self.walk, text.name, text.text, wanted.line)
        if line is None:
            return PlacedBreakpoint(None, wanted.line, "This fragment never runs this line.")
        try:
            hits = hit_condition(wanted.hits) if wanted.hits.strip() else None
        except TexelscopeError as error:
            return PlacedBreakpoint(None, line, str(error))
        where = (text.name, line)
        made = Breakpoint(wanted.number, where, wanted.condition.strip(), hits, wanted.message)
        return PlacedBreakpoint(made, line)

    def _judged(self, made: PlacedBreakpoint) -> PlacedBreakpoint:
        """Adds why the driver refused an expression of the breakpoint."""
        refused = self.walk.trace.refused
        reasons = [
            f"The driver refuses '{cut(text, 60)}': {refused[text]}."
            for text in (made.breakpoint.expressions if made.breakpoint is not None else ())
            if text in refused
        ]
        return PlacedBreakpoint(None, made.line, reasons[0]) if reasons else made

    # -- values --------------------------------------------------------------------------------------------

    def evaluate(self, expression: str, frame: CallFrame | None, *, names_only: bool = False) -> ShownValue:
        """Returns the value of a name in a call, or of any GLSL expression before the present step.

        With `names_only` a single word that names nothing is not given to the driver. Raises TexelscopeError for what
        has no value here.
        """
        frames = self.walk.frames
        frame = frame or (frames[0] if frames else None)
        facts = self.recording.facts
        for rows in (variables(self.walk, frame, facts) if frame is not None else (), given(self.walk, facts)):
            found = named(rows, expression)
            if found is not None:
                return found
        text = expression.strip()
        who = f"'{cut(text, 60)}'"
        if not text or (names_only and _NAME.fullmatch(text)):
            raise TexelscopeError(who, "a name that this line knows", "none", "Point at a variable.")
        if frame is not None and frames and frame.call != frames[0].call:
            raise TexelscopeError(who, "a variable of this function", "an expression", "Choose the innermost function.")
        return self._watched(text, who)

    def _watched(self, text: str, who: str) -> ShownValue:
        if self.walk.step is None:
            raise TexelscopeError(who, "a line that runs next", "the end of the fragment", "Step back.")
        if text not in self._watches:
            self._watches = (*self._watches, text)[-_MOST_WATCHES:]
        if self._watched_at is None or self._watched_at[:2] != (self.walk.at, self._watches):
            self._watched_at = (self.walk.at, self._watches, self.recording.step(self.walk.at, self._watches))
        trace = self._watched_at[2]
        if text in trace.refused:
            reason = f"one that is refused: {trace.refused[text]}"
            raise TexelscopeError(who, "a GLSL expression", reason, "Correct it.")
        step = trace.steps[0]
        lanes = step.watched.get(text)
        if lanes is None:
            raise TexelscopeError(who, "names that all have values here", "one without", "Step to where it has.")
        return lanes_value(text, watched_type(lanes), lanes)

    def _record_wanted(self) -> None:
        """Records the fragment again if a breakpoint has an expression that the record lacks."""
        wanted = dict.fromkeys(self.walk.expressions)
        known = {*self.walk.trace.watches, *self.walk.trace.refused}
        if wanted.keys() - known:
            self.walk.take(self.recording.trace(tuple(wanted)))

    def sums(self) -> FragmentSum:
        """Returns the fragment's sum beside the oracle's, or why it is unknown: no reason where it computes none."""
        if self._sums is None:
            try:
                self._sums = (self.recording.sums(self.walk.trace),)
            except TexelscopeError as error:
                self._sums = (FragmentSum((), None, str(error)),)
        return self._sums[0] or FragmentSum((), None, "")

    # -- words ---------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Names what runs: `down1, texel 5,6`, or `down1, invocation 5,6,0`."""
        trace = self.walk.trace
        if trace.invocation is not None:
            return f"{trace.pass_name}, invocation {','.join(map(str, trace.invocation))}"
        return f"{trace.pass_name}, texel {trace.place[0]},{trace.place[1]}"

    def introduction(self) -> tuple[str, ...]:
        """Returns lines on the pass, the texel, its value and the expected one, and what limits the record."""
        trace, walk = self.walk.trace, self.walk
        of = " (padding)" if trace.invocation is None else ""
        of = of if trace.element is None else f" ({index_text(self.recording.output, trace.element)})"
        count = len(trace.steps)
        part = (
            f"{trace.total} steps" if count == trace.total else f"steps {walk.index.first} to {walk.index.end - 1} of"
        )
        part = part if count == trace.total else f"{part} {trace.total}"
        lines = [f"{self.title}{of}: {part}."]
        if count != trace.total:
            lines.append("The launch argument 'window', as \"20000:40000\", records another part.")
        lines += self._values()
        if trace.agrees is False:
            lines.append("The pass itself wrote another value: the driver computes it differently without tracing.")
        if self.recording.languages:
            lines.append(
                f"The shader is {self.recording.languages}, translated to GLSL: conditions and watches are GLSL."
            )
        return (*lines, *self.recording.warnings)

    def result(self) -> str:
        """Returns what the fragment wrote, or that the record ends before it does."""
        trace = self.walk.trace
        if self.walk.index.end < trace.total:
            return f"The record ends here, before step {self.walk.index.end} of {trace.total}."
        if trace.discarded:
            return "The fragment was discarded."
        if trace.invocation is not None:
            return "The invocation has ended."
        wrote = (f"{name} = ({', '.join(map(exact, value))})" for name, value in trace.outputs.items())
        return f"The fragment has ended: {', '.join(wrote)}."

    def _values(self) -> list[str]:
        element = self.walk.trace.element
        if element is None:
            return []
        value = self.recording.value(element)
        try:
            expected = self.recording.expected(element)
        except TexelscopeError as error:
            return [f"Value {exact(value)}. {error}"]
        if math.isnan(expected) and not math.isnan(value):
            return [f"Value {exact(value)}; nothing is expected: the pass has no oracle for it."]
        return [f"Value {exact(value)}, expected {exact(expected)}."]
