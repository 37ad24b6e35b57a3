"""Walks through a recorded fragment: its position, where each motion leads, and why it stops there.

A walk knows nothing of editors. The whole run is recorded: every motion is a search in the record, forwards or back.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from texelscope.pipeline.debug_adapter.stops import Breakpoint, Event, Filter, events_of
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.step_trace.trace import Trace, TraceStep
from texelscope.pipeline.stepping.index import CallFrame, TraceIndex
from texelscope.pipeline.stepping.motions import Found, Motion

Reason = Literal["entry", "step", "breakpoint", "exception", "end"]


@dataclass(frozen=True)
class Stop:
    """Says why the walk stands where it stands: for `exception` the events of its step, for `breakpoint` their numbers.

    `printed` are messages of breakpoints that do not stop, in the order in which they were passed.
    """

    reason: Reason
    breakpoints: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    printed: tuple[str, ...] = ()


@dataclass(frozen=True)
class StopSteps:
    """The steps at which a run stops, and those at which it prints: in order, each with its causes."""

    breakpoints: Mapping[int, tuple[int, ...]]
    events: Mapping[int, tuple[Event, ...]]
    printing: Mapping[int, tuple[Breakpoint, ...]]

    @cached_property
    def steps(self) -> Sequence[int]:
        """The numbers of the steps at which a run stops, in order."""
        return sorted({*self.breakpoints, *self.events})

    @cached_property
    def printing_steps(self) -> Sequence[int]:
        """The numbers of the steps at which a run prints, in order."""
        return sorted(self.printing)


@dataclass
class Walk:
    """The position in a trace: `at` is the number of the step that would run next, the trace's end follows the last.

    `breakpoints` are by file. Replacing them, or `filters`, needs a call of `search_again`.
    """

    trace: Trace
    at: int = 0
    breakpoints: dict[str, tuple[Breakpoint, ...]] = field(default_factory=dict)
    filters: Set[Filter] = frozenset()
    stop: Stop = field(default_factory=lambda: Stop("entry"))

    def __post_init__(self) -> None:
        self.index = TraceIndex(self.trace)
        self.at = min(max(self.at, self.index.first), self.index.end)
        self._stops: StopSteps | None = None
        self._events: tuple[Event, ...] | None = None

    def take(self, trace: Trace) -> None:
        """Goes on in another record of the same run, which may have other watches; the position stays."""
        self.trace, self.index = trace, TraceIndex(trace)
        self.at = min(max(self.at, self.index.first), self.index.end)
        self._stops = self._events = None

    def search_again(self) -> None:
        """Forgets where runs stop."""
        self._stops = None

    @property
    def step(self) -> TraceStep | None:
        """The step that would run next; None at the end."""
        return self.index.step(self.at)

    @property
    def is_at_end(self) -> bool:
        """Whether the last recorded step is past."""
        return self.at >= self.index.end

    @property
    def expressions(self) -> tuple[str, ...]:
        """What the breakpoints need recorded, each once."""
        inside = (text for each in self.breakpoints.values() for one in each for text in one.expressions)
        return tuple(dict.fromkeys(inside))

    @property
    def frames(self) -> tuple[CallFrame, ...]:
        """The calls in progress, innermost first; at the end the outermost function, at its last line."""
        if not self.is_at_end:
            return self.index.frames(self.at)
        if not len(self.index.steps):
            return ()
        outermost = int(self.index.depths.min())
        last = next(step for step in reversed(self.index.steps) if step.depth == outermost)
        return (CallFrame(last.function, last.call, last.line),)

    @property
    def stops(self) -> StopSteps:
        """Where runs stop, in the whole record."""
        if self._stops is None:
            self._stops = self._found_stops()
        return self._stops

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the record."""
        if self._events is None:
            self._events = events_of(self.index)
        return self._events

    # -- motions -------------------------------------------------------------------------------------------

    def begin(self) -> Stop:
        """Runs from the beginning to the first place to stop, which may be the first step."""
        self.at = self.index.first
        return self._run_forwards(bisect_left(self.stops.steps, self.at))

    def go_on(self) -> Stop:
        """Runs to the next place to stop, or to the end."""
        return self._run_forwards(bisect_right(self.stops.steps, self.at))

    def go_back(self) -> Stop:
        """Runs back to the previous place to stop, or to the beginning."""
        place = bisect_left(self.stops.steps, self.at)
        return self._arrive(self.stops.steps[place - 1] if place else self.index.first)

    def to_entry(self) -> Stop:
        """Goes to the first step."""
        self.at = self.index.first
        self.stop = Stop("entry")
        return self.stop

    def move(self, motion: Callable[[TraceIndex, int], Motion]) -> Stop:
        """Makes a motion, or stops on the way; where the record ends before the target, goes to that end."""
        found: Found = motion(self.index, self.at).found(self.index, self.at)
        number = {"before": self.index.first, "after": self.index.end}[found] if isinstance(found, str) else found
        stops = self.stops.steps
        if number > self.at:
            place = bisect_right(stops, self.at)
            return self._arrive(min([number, *stops[place : place + 1]]))
        place = bisect_left(stops, self.at)
        return self._arrive(max([number, *stops[max(place - 1, 0) : place]]))

    def to_call(self, call: int) -> Stop:
        """Goes back to the first step of a call in progress."""
        step = next((each for each in self.index.steps if each.call == call), None)
        return self._arrive(step.number if step is not None else self.index.first)

    def runs_at(self, line: Line) -> bool:
        """Whether a recorded step begins at the line."""
        return line in self.index.line_numbers

    def _run_forwards(self, place: int) -> Stop:
        return self._arrive(self.stops.steps[place] if place < len(self.stops.steps) else self.index.end)

    def _arrive(self, number: int) -> Stop:
        printed = self._printed(self.at, number)
        self.at = number
        hit, events = self.stops.breakpoints.get(number, ()), self.stops.events.get(number, ())
        reason: Reason = "step"
        if self.is_at_end:
            reason = "end"
        elif hit:
            reason = "breakpoint"
        elif events:
            reason = "exception"
        elif number == self.index.first:
            reason = "entry"
        self.stop = Stop(reason, hit, events, printed)
        return self.stop

    def _printed(self, start: int, stop: int) -> tuple[str, ...]:
        """Returns what breakpoints print on the way forwards."""
        order = self.stops.printing_steps
        passed = order[bisect_left(order, start) : bisect_left(order, stop)] if start < stop else ()
        steps = ((self.index.step(number), number) for number in passed)
        return tuple(
            each.printed(step) for step, number in steps if step is not None for each in self.stops.printing[number]
        )

    def _found_stops(self) -> StopSteps:
        stopping: dict[int, tuple[int, ...]] = {}
        printing: dict[int, tuple[Breakpoint, ...]] = {}
        for each in (one for of_file in self.breakpoints.values() for one in of_file):
            for number in each.steps(self.index):
                if each.message:
                    printing[number] = (*printing.get(number, ()), each)
                else:
                    stopping[number] = (*stopping.get(number, ()), each.number)
        events: dict[int, tuple[Event, ...]] = {}
        for event in self.events if self.filters else ():
            if event.filter in self.filters:
                events[event.step] = (*events.get(event.step, ()), event)
        return StopSteps(stopping, events, printing)
