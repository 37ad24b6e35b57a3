"""Draws a traced pass where its log goes to colours: each fragment runs the texel's shader and keeps a few entries.

A first fragment counts the entries. Then there are as many fragments as keep them all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.colour_scan import ColourScan
from texelscope.pipeline.step_trace.drawn_log import DrawnLog, LogWindow, too_late, too_many_entries
from texelscope.pipeline.step_trace.log import WORDS, TraceLog
from texelscope.pipeline.step_trace.programs import Prepared

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# Entries of a window at most.
MOST_ENTRIES = 1 << 18
# Steps that all fragments of a trace run together, at most: each runs all steps, and there is about one for each step
# up to the window's end. A graphics card takes seconds for so many.
MOST_STEPS_RUN = 1 << 34
# Steps that one command runs at most, of all its fragments together.
_STEPS_AT_ONCE = 1 << 26
# Entries that a fragment keeps, as in shaders/step_trace/colours.glsl: one colour has the counts.
_KEPT = 3


def colour_log(session: Session, shader_pass: Pass, prepared: Prepared, window: LogWindow) -> DrawnLog:
    """Returns the log of a window. Raises TooManyEntriesError if it does not fit."""
    assert prepared.array is not None
    scan = ColourScan(
        session, shader_pass, cast("moderngl.Program", prepared.program), prepared.array,
        texel=(window.tx, window.ty), colours=_KEPT + 1, dtype="u4",
    )  # fmt: skip
    uniforms = {"u_trace_lane": window.lane, "u_trace_first": window.first, "u_trace_stop": window.stop}
    is_placed = prepared.traced.is_placed
    drawn = scan.draw(1, uniforms, is_placed=is_placed)
    total, used, is_discarded = int(drawn[0, 0, 0]), int(drawn[0, 0, 1]), bool(drawn[0, 0, 2])
    if used >= MOST_ENTRIES:
        raise too_many_entries(shader_pass.name, MOST_ENTRIES, used)
    goal = min(window.goal, total)
    if goal * total > MOST_STEPS_RUN:
        raise too_late(shader_pass.name, goal, total)
    if used > _KEPT:
        most = _STEPS_AT_ONCE // max(total, 1)
        drawn = scan.draw(math.ceil(used / _KEPT), uniforms, is_placed=is_placed, most_at_once=most)
    return DrawnLog(total, is_discarded, TraceLog.of(drawn[:, 1:].reshape(-1, WORDS)[:used]))
