"""Collects a variable's values over the turns of a loop, as numbers to plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.trace.trace import Number, TraceStep
from texelscope.viewer.debugger.model.index import TraceIndex, VariableValue

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
