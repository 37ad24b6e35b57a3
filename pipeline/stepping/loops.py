"""Finds the turns of the loops that a step is in, and a variable's values over them, as numbers to plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.stepping.index import TraceIndex, VariableValue

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Number, TraceStep


@dataclass(frozen=True)
class LoopTurn:
    """The turn `number`, from 0, of `total`, None if unknown; `name` is the loop's variable, if any.

    A loop that is about to end is beyond its last turn.
    """

    name: str
    number: int
    total: int | None


def turns_at(index: TraceIndex, at: int) -> tuple[LoopTurn, ...]:
    """Returns the turns of the loops around step `at` in its function, outermost first."""
    step = index.step(at)
    if step is None:
        return ()
    return tuple(_turn(index, step, level) for level in range(len(step.turns)))


def _turn(index: TraceIndex, here: TraceStep, level: int) -> LoopTurn:
    """Returns the turn of the loop at a level: 0 for the outermost one."""
    inside = (index.calls == here.call) & (index.levels > level)
    for outer in range(level):
        inside &= index.turns[:, outer] == here.turns[outer]
    outside = ((index.calls == here.call) & ~inside) | (index.depths < here.depth)
    row = here.number - index.first
    before, after = np.flatnonzero(outside[:row]), np.flatnonzero(outside[row:])
    start = int(before[-1]) + 1 if len(before) else 0
    stop = row + int(after[0]) if len(after) else len(index.steps)
    return LoopTurn(
        _name(index, start), here.turns[level], _total(index, inside, start, stop, level, is_over=bool(len(after)))
    )


def _name(index: TraceIndex, start: int) -> str:
    """Returns the variable set by the step before a loop, on the same line."""
    if start == 0:
        return ""
    begins, first = index.steps[start - 1], index.steps[start]
    return begins.assigned[0].name if begins.assigned and begins.line == first.line else ""


def _total(index: TraceIndex, inside: np.ndarray, start: int, stop: int, level: int, *, is_over: bool) -> int | None:
    if not is_over and index.end < index.trace.total:
        return None
    rows = start + np.flatnonzero(inside[start:stop])
    last = int(index.turns[rows[-1], level])
    of_last = rows[index.turns[rows, level] == last]
    ends = len(of_last) == 1 and index.steps[int(of_last[0])].branch is False
    return last if ends else last + 1


# A plot is some 60 pixels wide: more points are reduced to the extremes of neighbours.
MOST_POINTS = 96


@dataclass(frozen=True)
class LoopRun:
    """One run of a loop, from its first turn to its last: steps `first` to `last` of the call, at `depth` turns.

    Depth 0 stands for the whole recorded trace.
    """

    call: int
    depth: int
    first: int
    last: int


@dataclass(frozen=True)
class Series:
    """A series for each lane over the same turns: `at` is each point's turn, `low` and `high` the finite range.

    `depth` is that of the loop; 0 for the whole trace, where `at` counts assignments.
    """

    at: tuple[int, ...]
    lanes: tuple[tuple[float, ...], ...]
    low: float
    high: float
    depth: int = 0


def loops_around(index: TraceIndex, number: int) -> tuple[LoopRun, ...]:
    """Returns the loops that step `number` runs in, innermost first, the whole run of each; last the whole trace."""
    step = index.step(min(number, index.end - 1))
    if step is None:
        return ()
    depths = range(len(step.turns), 0, -1)
    return (*(_loop(index, step, depth) for depth in depths), LoopRun(step.call, 0, index.first, index.end - 1))


def _loop(index: TraceIndex, step: TraceStep, depth: int) -> LoopRun:
    row = step.number - index.first
    own = (index.calls == step.call) & (index.levels >= depth)
    for level, turn in enumerate(step.turns[: depth - 1]):
        own &= index.turns[:, level] == turn
    outside = (~own & (index.calls == step.call)) | (index.depths < step.depth)
    before, behind = np.flatnonzero(outside[:row]), np.flatnonzero(outside[row:])
    first = int(before[-1]) + 1 if len(before) else 0
    last = row + int(behind[0]) - 1 if len(behind) else len(index.steps) - 1
    rows = first + np.flatnonzero(own[first : last + 1])
    # A loop right behind another begins where the turns decrease again.
    starts = rows[1:][np.diff(index.turns[rows, depth - 1]) < 0]
    first = max((int(each) for each in starts if each <= row), default=int(rows[0]))
    last = min((int(each) - 1 for each in starts if each > row), default=last)
    return LoopRun(step.call, depth, index.first + first, index.first + last)


def series(index: TraceIndex, loop: LoopRun, history: Sequence[VariableValue]) -> Series | None:
    """Returns a variable's values, from its `history`, at the end of each turn; None for fewer than two turns."""
    points: dict[int, tuple[Number, ...]] = {}
    for count, held in enumerate(history):
        if loop.first <= held.step <= loop.last:
            step = index.step(held.step)
            has_turn = step is not None and step.call == loop.call and 0 < loop.depth <= len(step.turns)
            points[step.turns[loop.depth - 1] if step is not None and has_turn else count] = held.value
    return _thinned(sorted(points), points, loop.depth) if len(points) > 1 else None


def nearest_series(index: TraceIndex, loops: Sequence[LoopRun], history: Sequence[VariableValue]) -> Series | None:
    """Returns the series over the innermost of the `loops` in which the variable changes more than once."""
    return next((found for loop in loops if (found := series(index, loop, history)) is not None), None)


def _thinned(order: Sequence[int], points: Mapping[int, Sequence[Number]], depth: int) -> Series | None:
    count = max(len(value) for value in points.values())
    width = math.ceil(len(order) * 2 / MOST_POINTS) if len(order) > MOST_POINTS else 1
    kept: list[int] = []
    for start in range(0, len(order), width):
        group = order[start : start + width]
        ordered = sorted(group, key=lambda turn: _number(points[turn], 0))
        kept.extend(sorted({ordered[0], ordered[-1]}))
    lanes = tuple(tuple(_number(points[turn], lane) for turn in kept) for lane in range(min(count, 4)))
    finite = [value for lane in lanes for value in lane if math.isfinite(value)]
    return Series(tuple(kept), lanes, min(finite), max(finite), depth) if finite else None


def _number(value: Sequence[Number], lane: int) -> float:
    return float(value[lane]) if lane < len(value) else math.nan
