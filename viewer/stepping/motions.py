"""Where each motion leads: from one step of a trace to another, forwards and backwards.

A motion is made of where one stands and looks for its end in the recorded steps. Where these end before it does, the
answer is no number but on which side more of them are wanted; in a further window the same motion looks on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.trace.trace import TraceStep
from texelscope.viewer.stepping.index import TraceIndex

Side = Literal["before", "after"]
# A number of a step, or where more are to be recorded. Behind the last step stands the trace's `total`.
Found = int | Side
Mask = NDArray[np.bool_]


class Motion(Protocol):
    """A way to another step."""

    def found(self, index: TraceIndex, at: int) -> Found:
        """Where it leads from step `at`, as far as `index` tells."""


@dataclass(frozen=True)
class ToNumber:
    """To the step of that number, or the nearest there is."""

    number: int

    def found(self, index: TraceIndex, at: int) -> Found:
        """As `Motion.found`."""
        del at
        number = min(max(self.number, 0), index.trace.total)
        if number < index.first:
            return "before"
        is_there = number < index.end or number == index.trace.total == index.end
        return number if is_there else "after"


@dataclass(frozen=True)
class ToNextMeant:
    """To the next step that is `meant`, or the last one before; to the end of the trace where there is none.

    `begins` leads from what was found to where that begins.
    """

    meant: Callable[[TraceIndex], Mask]
    forwards: bool = True
    begins: Callable[[TraceIndex, int], int] = lambda _index, number: number

    def found(self, index: TraceIndex, at: int) -> Found:
        """As `Motion.found`."""
        mask = self.meant(index)
        if self.forwards:
            row = max(at + 1 - index.first, 0)
            rows = np.flatnonzero(mask[row:])
            if len(rows):
                return index.first + row + int(rows[0])
            return "after" if index.end < index.trace.total else index.trace.total
        rows = np.flatnonzero(mask[: max(at - index.first, 0)])
        if len(rows):
            return self.begins(index, index.first + int(rows[-1]))
        return "before" if index.first > 0 else 0


def into(_index: TraceIndex, at: int) -> Motion:
    """One step, wherever that is."""
    return ToNumber(at + 1)


def back_into(_index: TraceIndex, at: int) -> Motion:
    """One step back."""
    return ToNumber(at - 1)


def over(index: TraceIndex, at: int) -> Motion:
    """The next line of this call, or where this call ends, of its caller; a loop within one line turn by turn."""
    here = index.step(at)
    return ToNumber(at) if here is None else ToNextMeant(lambda other: _another_line(other, here))


def back_over(index: TraceIndex, at: int) -> Motion:
    """The beginning of the line before this one in this call, or of the caller's."""
    here = index.step(at)
    return ToNextMeant(
        lambda other: other.depths == 0 if here is None else _another_line(other, here), False, _start_of_line
    )


def out(index: TraceIndex, at: int) -> Motion:
    """Behind the call under way: the next step of its caller; of main's, the end."""
    depth = _depth(index, at)
    return ToNextMeant(lambda other: other.depths < depth)


def back_out(index: TraceIndex, at: int) -> Motion:
    """The step that made the call under way; of main's, the beginning."""
    depth = _depth(index, at)
    return ToNextMeant(lambda other: other.depths < depth, forwards=False)


def next_turn(index: TraceIndex, at: int) -> Motion:
    """The beginning of the next turn of the innermost loop; behind the loop from its last one.

    Outside of any, the first turn of the next loop of this call.
    """
    here = index.step(at)
    if here is None:
        return ToNumber(at)
    if not here.turns:
        return ToNextMeant(lambda other: _begins_loop(other, here.call, here.depth))
    return ToNextMeant(lambda other: _another_turn(other, here))


def previous_turn(index: TraceIndex, at: int) -> Motion:
    """The beginning of the turn before this one; before the loop from its first one.

    Outside of any, the last turn of the loop before.
    """
    here = index.step(at)
    if here is None or not here.turns:
        call, depth = (here.call, here.depth) if here is not None else (0, 0)
        return ToNextMeant(lambda other: _begins_loop(other, call, depth), False, _start_of_turn)
    return ToNextMeant(
        lambda other: _another_turn(other, here), False, lambda other, number: _start_like(other, number, here)
    )


def next_read(_index: TraceIndex, _at: int) -> Motion:
    """The next step that reads a texture."""
    return ToNextMeant(lambda other: other.reads)


def previous_read(_index: TraceIndex, _at: int) -> Motion:
    """The step that read a texture last."""
    return ToNextMeant(lambda other: other.reads, forwards=False)


def to_line(line: Line) -> Motion:
    """The next step that begins at that line, or, where it has no code, at the first one below that has."""
    return ToNextMeant(lambda other: _on(other, line))


def back_to_line(line: Line) -> Motion:
    """The last step before that began at that line, or the first one below it that has code."""
    return ToNextMeant(lambda other: _on(other, line), forwards=False)


def to_breakpoint(breakpoints: Mapping[Line, str]) -> Motion:
    """The next step at a line with a breakpoint whose condition, a watch, holds there; one without always does."""
    return ToNextMeant(lambda other: _stops(other, breakpoints))


def back_to_breakpoint(breakpoints: Mapping[Line, str]) -> Motion:
    """The last such step before."""
    return ToNextMeant(lambda other: _stops(other, breakpoints), forwards=False)


# -- what they look for ------------------------------------------------------------------------------------


def _depth(index: TraceIndex, at: int) -> int:
    here = index.step(at)
    return here.depth if here is not None else 0


def _another_line(index: TraceIndex, here: TraceStep) -> Mask:
    """Steps of the call of `here` at other lines, or of its very statement once more, and those of its callers."""
    line, text = index.line_numbers.get(here.line, -1), index.text_numbers.get((here.line, here.text), -1)
    own = (index.calls == here.call) & ((index.lines != line) | (index.texts == text))
    found: Mask = own | (index.depths < here.depth)
    return found


def _begins_loop(index: TraceIndex, call: int, depth: int) -> Mask:
    found: Mask = ((index.calls == call) & (index.levels > 0)) | (index.depths < depth)
    return found


def _inside(index: TraceIndex, here: TraceStep) -> Mask:
    """Steps of the innermost loop around `here`, whatever its turn; those of calls made there left out."""
    level = len(here.turns) - 1
    found: Mask = (index.calls == here.call) & (index.levels > level) & _in_turns(index, here.turns[:level])
    return found


def _another_turn(index: TraceIndex, here: TraceStep) -> Mask:
    """Steps of other turns of the innermost loop around `here`, those of its call outside of it, and its callers'."""
    inside = _inside(index, here)
    same = inside & _in_turns(index, here.turns)
    found: Mask = ((index.calls == here.call) & ~same) | (index.depths < here.depth)
    return found


def _in_turns(index: TraceIndex, turns: tuple[int, ...]) -> Mask:
    mask = np.ones(len(index.steps), bool)
    for level, turn in enumerate(turns):
        mask &= index.turns[:, level] == turn if level < index.turns.shape[1] else False
    return mask


def _on(index: TraceIndex, line: Line) -> Mask:
    below = [
        (each[1], number) for each, number in index.line_numbers.items() if each[0] == line[0] and each[1] >= line[1]
    ]
    return index.lines == min(below)[1] if below else np.zeros(len(index.steps), bool)


def _stops(index: TraceIndex, breakpoints: Mapping[Line, str]) -> Mask:
    wanted = {index.line_numbers[line]: text for line, text in breakpoints.items() if line in index.line_numbers}
    mask = np.isin(index.lines, list(wanted))
    for row in np.flatnonzero(mask).tolist():
        condition = wanted[int(index.lines[row])]
        if condition:
            mask[row] = bool(index.steps[row].watched.get(condition, (False,))[0])
    # A line of several steps stops where it begins.
    again = np.zeros(len(mask), bool)
    again[1:] = mask[1:] & mask[:-1] & (index.lines[1:] == index.lines[:-1]) & (index.texts[1:] != index.texts[:-1])
    return mask & ~again


# -- where something begins --------------------------------------------------------------------------------


def _start_of_turn(index: TraceIndex, number: int) -> int:
    """The first step of the turn, of the innermost loop, that step `number` is in."""
    step = index.step(number)
    if step is None or not step.turns:
        return number
    same = (index.calls == step.call) & _in_turns(index, step.turns)
    return _run(index, number, same, (index.calls == step.call) | (index.depths < step.depth))


def _start_like(index: TraceIndex, number: int, here: TraceStep) -> int:
    """The same of a turn of the loop around `here`; a step outside of that loop is where it is."""
    step = index.step(number)
    if step is None or step.call != here.call or not _inside(index, here)[number - index.first]:
        return number
    same = (index.calls == step.call) & _in_turns(index, step.turns[: len(here.turns)])
    return _run(index, number, same, (index.calls == step.call) | (index.depths < step.depth))


def _start_of_line(index: TraceIndex, number: int) -> int:
    """The first of the steps that run one after the other on the line of step `number`, in its call."""
    row = number - index.first
    step = index.steps[row]
    own = (index.calls == step.call) & (index.lines == index.lines[row])
    before = np.flatnonzero((own & (index.texts == index.texts[row]))[:row])
    if len(before):  # the same statement of a turn before begins a run of its own
        own[: before[-1] + 1] = False
    return _run(index, number, own, (index.calls == step.call) | (index.depths < step.depth))


def _run(index: TraceIndex, number: int, same: Mask, counts: Mask) -> int:
    """The first of the steps up to `number` that are the `same`, with none that `counts` and is not between them."""
    row = number - index.first
    other = np.flatnonzero((counts & ~same)[:row])
    begins = int(other[-1]) + 1 if len(other) else 0
    return index.first + begins + int(np.flatnonzero(same[begins:])[0])
