"""Finds the steps at which a run through a trace stops: at breakpoints, at reads, and where a value becomes NaN."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from texelscope.pipeline.debug_adapter.hit_condition import HitCondition
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.step_trace.trace import Number, TraceStep
from texelscope.pipeline.stepping.index import TraceIndex, VariableValue
from texelscope.pipeline.stepping.motions import stops_at
from texelscope.pipeline.stepping.numbers import exact_text

# Kinds of events that a run stops at wherever they are: a read of a texture, a value that becomes NaN or infinite.
Filter = Literal["read", "nan"]
FILTERS: tuple[Filter, ...] = get_args(Filter)

_EXPRESSION = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Breakpoint:
    """Stops before the steps that begin at a line, where a condition in GLSL is true and the hit is right.

    With a `message` it does not stop, but prints it: expressions in braces are replaced by their values.
    """

    number: int
    line: Line
    condition: str = ""
    hits: HitCondition | None = None
    message: str = ""

    @property
    def expressions(self) -> tuple[str, ...]:
        """What the driver has to compute for it, before each step."""
        inside = (text.strip() for text in _EXPRESSION.findall(self.message))
        return tuple(text for text in (self.condition, *inside) if text)

    def steps(self, index: TraceIndex) -> tuple[int, ...]:
        """Returns the numbers of the steps before which it stops or prints."""
        rows = np.flatnonzero(stops_at(index, {self.line: self.condition})).tolist()
        return tuple(index.first + row for hit, row in enumerate(rows, 1) if self.hits is None or self.hits.holds(hit))

    def printed(self, step: TraceStep) -> str:
        """Returns the message as it is before a step; an expression without a value there stays as it is written."""

        def value(match: re.Match[str]) -> str:
            lanes = step.watched.get(match[1].strip())
            return match[0] if lanes is None else watched_text(lanes)

        return _EXPRESSION.sub(value, self.message)


@dataclass(frozen=True)
class WantedBreakpoint:
    """A breakpoint as it is asked for: on a line, from 1, with the texts of its conditions, empty for none."""

    number: int
    line: int
    condition: str = ""
    hits: str = ""
    message: str = ""


@dataclass(frozen=True)
class PlacedBreakpoint:
    """Says what became of a wanted breakpoint: the breakpoint and its line, or None and the reason."""

    breakpoint: Breakpoint | None
    line: int
    reason: str = ""


@dataclass(frozen=True)
class Event:
    """Describes one event of a filter: what happens in step `step`."""

    filter: Filter
    step: int
    text: str


def events_of(index: TraceIndex) -> tuple[Event, ...]:
    """Returns all events of all filters, in the order of their steps."""
    reads = (Event("read", step.number, _read_text(step)) for step in index.steps if step.reads)
    found = (*reads, *_non_finite(index))
    return tuple(sorted(found, key=lambda event: event.step))


def watched_text(lanes: Sequence[Number]) -> str:
    """Formats the value of an expression, whose type only its lanes tell."""
    return exact_text(watched_type(lanes), lanes)


def watched_type(lanes: Sequence[Number]) -> str:
    """Returns the GLSL type of the value of an expression by its lanes; empty for more than a vector."""
    first = lanes[0] if lanes else 0.0
    one, several = ("bool", "bvec") if isinstance(first, bool) else ("int", "ivec") if isinstance(first, int) else (
        "float", "vec"
    )  # fmt: skip
    return one if len(lanes) == 1 else f"{several}{len(lanes)}" if len(lanes) <= 4 else ""


def _read_text(step: TraceStep) -> str:
    places = [f"{read.uniform} at texel ({read.texel[0]}, {read.texel[1]})" for read in step.reads]
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"reads {places[0]}{more}"


def _non_finite(index: TraceIndex) -> Iterable[Event]:
    """Yields the steps in which a lane of a variable, or of a result, becomes NaN or infinite.

    A call whose function made such a value is no step of its own: the statement inside is.
    """
    made: list[tuple[int, int, str]] = []
    for history in index.histories():
        before: tuple[Number, ...] = ()
        for held in history:
            if held.step >= index.first and _becomes(held.value, before):
                made.append((held.begun, held.step, _becomes_text(held)))
            before = held.value
    for step in index.steps:
        if _becomes(step.returned, ()):
            value = exact_text(watched_type(step.returned), step.returned)
            made.append((step.number + 1, step.number, f"'{step.function}' returns {value}"))
    taken: dict[int, str] = {}
    for begun, number, text in sorted(made, key=lambda each: (each[0], -each[1])):  # what is inside a call first
        if not any(inner in taken for inner in range(number + 1, begun)):
            taken.setdefault(number, text)
    return [Event("nan", number, text) for number, text in taken.items()]


def _becomes(value: Sequence[Number], before: Sequence[Number]) -> bool:
    return any(
        not math.isfinite(lane) and (number >= len(before) or math.isfinite(before[number]))
        for number, lane in enumerate(value)
    )


def _becomes_text(held: VariableValue) -> str:
    return f"{held.name} becomes {exact_text(held.type, held.value)}"
