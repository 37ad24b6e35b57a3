"""Finds the line of a shader at which a breakpoint stops: where a statement begins that the fragment ran."""

from __future__ import annotations

from texelscope.pipeline.debug_adapter.walk import Walk
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.stepping.unrun import line_with_code

_ENDS_STATEMENT = (";", "{", "}", ":", ")")


def stopping_line(walk: Walk, file: str, text: str, line: int) -> int | None:
    """Returns the line, from 1, at which a breakpoint on `line` stops; None if the fragment never runs that code.

    A line without code means the next one with code, a line inside a statement the one where it begins; a declaration
    without a value means the next statement.
    """
    wanted = line_with_code(text, line)
    if walk.runs_at((file, wanted)):
        return wanted
    lines = without_comments(text).split("\n")
    unrun = walk.index.unrun(file, lambda: text)
    if wanted in unrun or not 0 < wanted <= len(lines):
        return None
    before = next((bare for each in reversed(lines[: wanted - 1]) if (bare := each.strip())), ";")
    run = sorted(walk.index.lines_of(file))
    if before.endswith(_ENDS_STATEMENT) or before.startswith("#"):
        below = next((each for each in run if each > wanted), None)
        between = range(wanted + 1, below) if below is not None else ()
        return None if any(each in unrun for each in between) else below
    return next((each for each in reversed(run) if each < wanted), None)
