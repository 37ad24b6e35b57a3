"""Translates WGSL by the reader of `pipeline.wgsl`."""

from __future__ import annotations

from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.rows import Row, rows_of, with_directives
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.wgsl.program import EntryRequest, entry_points, written

__all__ = ["entry_points", "translated"]


def translated(request: TranslationRequest) -> str:
    """Returns GLSL for OpenGL; its `#line`s say where. Raises AuthorTextError with the row of the text."""
    source = rows_of(request.text)
    lines = without_comments(request.text).split("\n")
    numbers = [number for number, each in enumerate(lines) if not each.lstrip().startswith("#line")]
    try:
        asked = EntryRequest(request.stage, request.entry, request.defines, request.bound)
        rows = written("\n".join(row.text for row in source), asked)
    except AuthorTextError as error:
        at = numbers[min(error.row, len(numbers) - 1)] if numbers else 0
        raise AuthorTextError(at, error.expected, error.got, error.do_next) from error
    return with_directives([Row(row.text, None if row.row is None else source[row.row].place) for row in rows])
