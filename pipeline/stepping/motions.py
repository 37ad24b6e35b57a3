"""Defines where each motion leads: from one step of a trace to another, forward and backward.

A motion is made at the present step and searches its target in the recorded steps. If they end first, the result is
the side on which more steps are needed; the same motion then continues in a further window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping.index import TraceIndex

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import TraceStep

Side = Literal["before", "after"]
# A number of a step, or the side where more must be recorded. The trace's `total` follows the last step.
Found = int | Side
Mask = NDArray[np.bool_]


class Motion(Protocol):
    """Leads to another step."""

    def found(self, index: TraceIndex, at: int) -> Found:
        """Returns where it leads from step `at`, as far as `index` shows."""


@dataclass(frozen=True)
class ToNumber:
    """Goes to the step of that number, or the nearest one."""

    number: int

    def found(self, index: TraceIndex, at: int) -> Found:
        """Implements `Motion.found`."""
        del at
        number = min(max(self.number, 0), index.trace.total)
        if number < index.first:
            return "before"
        is_there = number < index.end or number == index.trace.total == index.end
        return number if is_there else "after"


@dataclass(frozen=True)
class ToNextMeant:
    """Goes to the next step that is `meant`, or the previous one; to the end of the trace if there is none.

    `begins` maps what was found to its beginning.
    """

    meant: Callable[[TraceIndex], Mask]
    forwards: bool = True
    begins: Callable[[TraceIndex, int], int] = lambda _index, number: number

    def found(self, index: TraceIndex, at: int) -> Found:
        """Implements `Motion.found`."""
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
    """Goes one step forward."""
    return ToNumber(at + 1)


def back_into(_index: TraceIndex, at: int) -> Motion:
    """Goes one step back."""
    return ToNumber(at - 1)


def over(index: TraceIndex, at: int) -> Motion:
    """Goes to the next line of this call, or of its caller; a loop within one line goes turn by turn."""
    here = index.step(at)
    return ToNumber(at) if here is None else ToNextMeant(lambda other: _another_line(other, here))


def back_over(index: TraceIndex, at: int) -> Motion:
    """Goes to the beginning of the previous line in this call, or of the caller's."""
    here = index.step(at)
    return ToNextMeant(
        lambda other: other.depths == 0 if here is None else _another_line(other, here), False, _start_of_line
    )


def out(index: TraceIndex, at: int) -> Motion:
    """Goes to the caller's next step after the present call; from main, to the end."""
    depth = _depth(index, at)
    return ToNextMeant(lambda other: other.depths < depth)


def back_out(index: TraceIndex, at: int) -> Motion:
    """Goes to the step that made the present call; from main, to the beginning."""
    depth = _depth(index, at)
    return ToNextMeant(lambda other: other.depths < depth, forwards=False)


def next_turn(index: TraceIndex, at: int) -> Motion:
    """Goes to the beginning of the innermost loop's next turn; from its last one, behind the loop.

    Outside of any loop, goes to the first turn of the next loop of this call.
    """
    here = index.step(at)
    if here is None:
        return ToNumber(at)
    if not here.turns:
        return ToNextMeant(lambda other: _begins_loop(other, here.call, here.depth))
    return ToNextMeant(lambda other: _another_turn(other, here))


def previous_turn(index: TraceIndex, at: int) -> Motion:
    """Goes to the beginning of the previous turn; from the first one, before the loop.

    Outside of any loop, goes to the last turn of the previous loop.
    """
    here = index.step(at)
    if here is None or not here.turns:
        call, depth = (here.call, here.depth) if here is not None else (0, 0)
        return ToNextMeant(lambda other: _begins_loop(other, call, depth), False, _start_of_turn)
    return ToNextMeant(
        lambda other: _another_turn(other, here), False, lambda other, number: _start_like(other, number, here)
    )


def next_read(_index: TraceIndex, _at: int) -> Motion:
    """Goes to the next step that reads a texture."""
    return ToNextMeant(lambda other: other.reads)


def previous_read(_index: TraceIndex, _at: int) -> Motion:
    """Goes to the previous step that read a texture."""
    return ToNextMeant(lambda other: other.reads, forwards=False)


def to_line(line: Line) -> Motion:
    """Goes to the next step that begins at that line, or at the first line below it with code."""
    return ToNextMeant(lambda other: _on(other, line))


def back_to_line(line: Line) -> Motion:
    """Goes to the previous step that began at that line, or at the first line below it with code."""
    return ToNextMeant(lambda other: _on(other, line), forwards=False)


def to_breakpoint(breakpoints: Mapping[Line, str]) -> Motion:
    """Goes to the next step at a breakpoint whose condition, a watch, is true; without a condition it always is."""
    return ToNextMeant(lambda other: stops_at(other, breakpoints))


def back_to_breakpoint(breakpoints: Mapping[Line, str]) -> Motion:
    """Goes to the previous step at such a breakpoint."""
    return ToNextMeant(lambda other: stops_at(other, breakpoints), forwards=False)


def stops_at(index: TraceIndex, breakpoints: Mapping[Line, str]) -> Mask:
    """Selects the steps at a breakpoint whose condition, a watch, is true; without a condition it always is."""
    wanted = {index.line_numbers[line]: text for line, text in breakpoints.items() if line in index.line_numbers}
    mask = np.isin(index.lines, list(wanted))
    for row in np.flatnonzero(mask).tolist():
        condition = wanted[int(index.lines[row])]
        if condition:
            mask[row] = bool(index.steps[row].watched.get(condition, (False,))[0])
    # A line of several steps stops at its first one.
    again = np.zeros(len(mask), bool)
    again[1:] = mask[1:] & mask[:-1] & (index.lines[1:] == index.lines[:-1]) & (index.texts[1:] != index.texts[:-1])
    return mask & ~again


# -- what they search for ------------------------------------------------------------------------------------


def _depth(index: TraceIndex, at: int) -> int:
    here = index.step(at)
    return here.depth if here is not None else 0


def _another_line(index: TraceIndex, here: TraceStep) -> Mask:
    """Selects steps of the call of `here` at other lines or of the same statement again, and those of its callers."""
    line, text = index.line_numbers.get(here.line, -1), index.text_numbers.get((here.line, here.text), -1)
    own = (index.calls == here.call) & ((index.lines != line) | (index.texts == text))
    found: Mask = own | (index.depths < here.depth)
    return found


def _begins_loop(index: TraceIndex, call: int, depth: int) -> Mask:
    found: Mask = ((index.calls == call) & (index.levels > 0)) | (index.depths < depth)
    return found


def _inside(index: TraceIndex, here: TraceStep) -> Mask:
    """Selects steps of the innermost loop around `here`, in any turn, without those of calls made there."""
    level = len(here.turns) - 1
    found: Mask = (index.calls == here.call) & (index.levels > level) & _in_turns(index, here.turns[:level])
    return found


def _another_turn(index: TraceIndex, here: TraceStep) -> Mask:
    """Selects steps of other turns of the innermost loop around `here`, those outside of it, and its callers'."""
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


# -- where something begins --------------------------------------------------------------------------------


def _start_of_turn(index: TraceIndex, number: int) -> int:
    """Returns the first step of the innermost loop's turn that step `number` is in."""
    step = index.step(number)
    if step is None or not step.turns:
        return number
    same = (index.calls == step.call) & _in_turns(index, step.turns)
    return _run(index, number, same, (index.calls == step.call) | (index.depths < step.depth))


def _start_like(index: TraceIndex, number: int, here: TraceStep) -> int:
    """Returns the same for the loop around `here`; a step outside of that loop is unchanged."""
    step = index.step(number)
    if step is None or step.call != here.call or not _inside(index, here)[number - index.first]:
        return number
    same = (index.calls == step.call) & _in_turns(index, step.turns[: len(here.turns)])
    return _run(index, number, same, (index.calls == step.call) | (index.depths < step.depth))


def _start_of_line(index: TraceIndex, number: int) -> int:
    """Returns the first of the consecutive steps on the line of step `number`, in its call."""
    row = number - index.first
    step = index.steps[row]
    own = (index.calls == step.call) & (index.lines == index.lines[row])
    before = np.flatnonzero((own & (index.texts == index.texts[row]))[:row])
    if len(before):  # the same statement of a previous turn begins another run
        own[: before[-1] + 1] = False
    return _run(index, number, own, (index.calls == step.call) | (index.depths < step.depth))


def _run(index: TraceIndex, number: int, same: Mask, counts: Mask) -> int:
    """Returns the first of the steps up to `number` that are the `same`, without a step that `counts` between them."""
    row = number - index.first
    other = np.flatnonzero((counts & ~same)[:row])
    begins = int(other[-1]) + 1 if len(other) else 0
    return index.first + begins + int(np.flatnonzero(same[begins:])[0])
