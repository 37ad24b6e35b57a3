"""Finds the turns of the loops that a step is in, with the loop's variable and number of turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.trace.trace import TraceStep
from texelscope.viewer.debugger.model.index import TraceIndex


@dataclass(frozen=True)
class Turn:
    """The turn `number`, from 0, of `total`, None if unknown; `name` is the loop's variable, if any.

    A loop that is about to end is beyond its last turn.
    """

    name: str
    number: int
    total: int | None


def turns_at(index: TraceIndex, at: int) -> tuple[Turn, ...]:
    """Returns the turns of the loops around step `at` in its function, outermost first."""
    step = index.step(at)
    if step is None:
        return ()
    return tuple(_turn(index, step, level) for level in range(len(step.turns)))


def _turn(index: TraceIndex, here: TraceStep, level: int) -> Turn:
    """Returns the turn of the loop at a level: 0 for the outermost one."""
    inside = (index.calls == here.call) & (index.levels > level)
    for outer in range(level):
        inside &= index.turns[:, outer] == here.turns[outer]
    outside = ((index.calls == here.call) & ~inside) | (index.depths < here.depth)
    row = here.number - index.first
    before, after = np.flatnonzero(outside[:row]), np.flatnonzero(outside[row:])
    start = int(before[-1]) + 1 if len(before) else 0
    stop = row + int(after[0]) if len(after) else len(index.steps)
    return Turn(
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
