"""Implements `step`: traces a texel's fragment, or an invocation, and formats it as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.layouts.outside_text import MOST_LETTERS, in_cell, one_line
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.short_text import cut
from texelscope.pipeline.step_trace.recorder import TraceRecorder
from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep
from texelscope.pipeline.target import Target

_GAP = "  "
# Letters of a statement if the width of the table is unknown, and its minimum in a narrow terminal.
_WIDEST_TEXT, _LEAST_TEXT = 80, 24


@dataclass(frozen=True)
class StepRequest:
    """Says what to trace, by a texel and its lane or by an invocation; which part to show, and what to watch."""

    pass_name: str
    texel: tuple[int, int] | None
    lane: int
    window: tuple[int, int] | None = None
    watches: tuple[str, ...] = ()
    invocation: tuple[int, int, int] | None = None


def asked_for(
    pass_name: str,
    texel: str | None,
    lane: str,
    window: str | None,
    watches: Sequence[str],
    invocation: str | None = None,
) -> StepRequest:
    """Parses the arguments. Raises TexelscopeError for malformed numbers, and unless one place is given."""
    if (texel is None) == (invocation is None):
        got = "neither" if texel is None else "both"
        raise TexelscopeError("step", "--texel X,Y or --invocation X,Y,Z", got, "Give one of them.")
    place = None if texel is None else _numbers("--texel", "X,Y, as 5,6", texel, ",", 2)
    called = None if invocation is None else _numbers("--invocation", "X,Y,Z, as 8,3,0", invocation, ",", 3)
    (number,) = _numbers("--lane", "a number from 0 on", lane, ",", 1)
    part = _numbers("--window", "A:B, as 20000:40000, B behind A", window, ":", 2) if window is not None else None
    if part is not None and part[1] <= part[0]:
        raise TexelscopeError("--window", "A:B, as 20000:40000, B behind A", f"'{window}'", "Correct it.")
    return StepRequest(
        pass_name,
        None if place is None else (place[0], place[1]),
        number,
        None if part is None else (part[0], part[1]),
        tuple(watches),
        None if called is None else (called[0], called[1], called[2]),
    )


def _numbers(argument: str, expected: str, text: str, between: str, count: int) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(between)]
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise TexelscopeError(argument, expected, f"'{text}'", "Correct it.")
    return tuple(int(part) for part in parts)


def stepped(target: Target, asked: StepRequest, frame: int | None = None) -> tuple[Trace, Plan]:
    """Returns the trace, in that frame, and its plan. Raises TexelscopeError for what cannot be traced."""
    with open_and_run(target, frame=frame) as session:
        error = session.shader_error(session.plan.pass_called(asked.pass_name).name)
        if error is not None:
            raise error
        recorder = TraceRecorder(session)
        try:
            trace = _traced(recorder, asked)
        finally:
            recorder.release()
        return trace, session.plan


def _traced(recorder: TraceRecorder, asked: StepRequest) -> Trace:
    if asked.invocation is not None:
        return recorder.trace_invocation(asked.pass_name, asked.invocation, watches=asked.watches, window=asked.window)
    assert asked.texel is not None
    return recorder.trace(asked.pass_name, asked.texel, asked.lane, watches=asked.watches, window=asked.window)


def render(trace: Trace, plan: Plan, width: int | None = None, name: str = "") -> str:
    """Formats the trace: title, a row per step, the results; statements are cut to the space that `width` leaves.

    `name` is what was asked for, if that is one of several outputs of the pass.
    """
    file = trace.steps[0].line[0] if trace.steps else ""
    rows = [("step", "line", "turns", "statement", "effect")]
    rows += [_row(step, plan, file) for step in trace.steps]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    room = _WIDEST_TEXT if width is None else max(width // 2 - sum(widths[:3]), _LEAST_TEXT)
    widths[3] = min(widths[3], room)
    lines = [
        _GAP.join([row[0].rjust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]),
                   cut(row[3], widths[3]).ljust(widths[3]), row[4]]).rstrip()
        for row in rows
    ]  # fmt: skip
    return "\n".join([_title(trace, plan, file, name or trace.pass_name), "", *lines, "", *_end(trace)])


def _title(trace: Trace, plan: Plan, file: str, name: str) -> str:
    stored = plan.textures[plan.pass_called(name).output]
    of = "padding"
    if trace.element is not None:
        of = f"{in_cell(stored.tensor)}{_index(trace.element, stored.shape)}"
    last = trace.first + len(trace.steps)
    part = (
        f"{trace.total} steps"
        if len(trace.steps) == trace.total
        else f"steps {trace.first} to {last - 1} of {trace.total}"
    )
    ran = f"invocation {','.join(map(str, trace.invocation))}" if trace.invocation is not None else ""
    at = f"texel {trace.place[0]},{trace.place[1]} ({of})"
    if ran:
        at = ran if trace.element is None else f"{at}, {ran}"
    return f"{in_cell(trace.pass_name)}, {at}, {in_cell(file)}: {part}"


def _row(step: TraceStep, plan: Plan, file: str) -> tuple[str, str, str, str, str]:
    line = str(step.line[1]) if step.line[0] == file else f"{step.line[0].rpartition('/')[2]}:{step.line[1]}"
    turns = ".".join(map(str, step.turns))
    did = [_read(read, plan) for read in step.reads]
    did += [_assigned(made, step) for made in step.assigned]
    if step.branch is not None:
        did.append("true" if step.branch else "false")
    if step.end == "return" and step.returned:
        did.append(f"gives {_value(step.returned)}")
    watched = [f"[{text}: {_value(value)}]" for text, value in step.watched.items()]
    text = "  " * step.depth + step.text
    does = " ".join([", ".join(did), *watched])
    return str(step.number), in_cell(line), turns, in_cell(text), in_cell(does, MOST_LETTERS // 2)


def _assigned(made: Assigned, step: TraceStep) -> str:
    of = f"{made.function}'s " if made.function not in ("", step.function) else ""
    return f"{of}{made.name} = {_value(made.value)}"


def _read(read: TexelRead, plan: Plan) -> str:
    stored = plan.textures[read.key]
    where = ", ".join(_index(element, stored.shape) for element in read.elements[:1]) or " outside" * read.outside
    more = f" and {len(read.elements) - 1} more" if len(read.elements) > 1 else ""
    value = _value(tuple(read.value[lane] for lane in read.lanes))
    return f"{in_cell(stored.tensor)}{where or ' padding'}{more} is {value}"


def _index(element: int, shape: tuple[int, ...]) -> str:
    return f"[{', '.join(str(int(each)) for each in np.unravel_index(element, shape))}]" if shape else ""


def _value(value: Sequence[Number]) -> str:
    texts = [str(np.float32(each)) if isinstance(each, float) else str(each).lower() for each in value]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _end(trace: Trace) -> list[str]:
    lines = [f"{name} is {_value(value)}." for name, value in trace.outputs.items()]
    if trace.discarded:
        lines.append("The fragment was discarded.")
    if len(trace.steps) < trace.total:
        last = trace.first + len(trace.steps)
        lines.append(
            f"{trace.total - len(trace.steps)} steps are not shown; --window {last}:{last + 1000} shows others."
        )
    if trace.agrees is False:
        lines.append("The pass itself wrote another value there: the driver computes it differently without tracing.")
    lines += [one_line(f"Not watched: {in_cell(text)}: {reason}.") for text, reason in trace.refused.items()]
    return lines
