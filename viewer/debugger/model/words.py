"""Formats values, places and states of a trace, as shown beside its lines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from texelscope.viewer.debugger.model.stepping import Stepping

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead
    from texelscope.pipeline.stepping.loops import LoopTurn

LANES = "rgba"
FIGURES, BRIEF_FIGURES = 6, 4
# A value with more lanes (than a matrix of four by four) is cut.
_MOST_LANES = 16


def number_words(value: Number, figures: int = FIGURES) -> str:
    """Formats one lane, in that many significant figures; `true` and `false` as in GLSL."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    text = f"{value:.{figures}g}"
    return text if any(letter in text for letter in ".en") else f"{text}.0"


def value_words(value: Iterable[Number], figures: int = FIGURES) -> str:
    """Formats all lanes, in parentheses if there are several."""
    lanes = [number_words(lane, figures) for lane in value]
    if len(lanes) == 1:
        return lanes[0]
    return f"({', '.join(lanes[:_MOST_LANES])}{', …' if len(lanes) > _MOST_LANES else ''})"


def assigned_words(assigned: Assigned) -> str:
    """Formats an assignment: `at = (12.5, 7.5)`."""
    return f"{assigned.name} = {value_words(assigned.value)}"


def read_words(read: TexelRead) -> str:
    """Formats which texel of which texture was read, and its value."""
    outside = " (outside)" if read.outside else ""
    return f"{read.uniform} ({read.texel[0]}, {read.texel[1]}){outside} = {value_words(read.value)}"


def turn_words(turn: LoopTurn) -> str:
    """Formats a turn: `q 2 of 4`, counted from 1."""
    name = turn.name or "turn"
    if turn.total is None:
        return f"{name} {turn.number + 1}"
    return f"{name} ends" if turn.number >= turn.total else f"{name} {turn.number + 1} of {turn.total}"


def step_words(stepping: Stepping) -> str:
    """Formats the position: `step 132 of 4,711`; at the end, how the fragment has ended."""
    trace = stepping.trace
    if trace is None:
        return ""
    if stepping.at < trace.total:
        return f"step {stepping.at + 1:,} of {trace.total:,}"
    return f"end, {trace.total:,} steps: " + ("discarded" if trace.discarded else _outputs(stepping))


def loop_words(stepping: Stepping) -> str:
    """Formats the turns of all loops around the step that would run next."""
    from texelscope.pipeline.stepping.loops import turns_at

    index = stepping.index
    return ", ".join(turn_words(turn) for turn in turns_at(index, stepping.at)) if index is not None else ""


def place_words(stepping: Stepping, lane: int | None) -> str:
    """Formats the place: `down1 texel (33, 12) r`."""
    trace = stepping.trace
    if trace is None:
        return ""
    letter = f" {LANES[lane]}" if lane is not None and lane < len(LANES) else ""
    return f"{trace.pass_name} texel ({trace.place[0]}, {trace.place[1]}){letter}"


def _outputs(stepping: Stepping) -> str:
    assert stepping.trace is not None
    return ", ".join(f"{name} = {value_words(value)}" for name, value in stepping.trace.outputs.items())
