"""Takes the section of a stage out of Godot's files, which hold several stages behind `#[vertex]`, `#[compute]` …"""

from __future__ import annotations

import re

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import without_comments

_SECTION = re.compile(r"^[ \t]*#\[(?P<stage>\w+)\][ \t]*$", re.MULTILINE)
_NOT_A_LINE_END = re.compile(r"[^\n]+")


def has_sections(text: str) -> bool:
    """Whether a text names a stage as Godot's files do."""
    return "#[" in text and _SECTION.search(without_comments(text)) is not None


def section_of(text: str, stage: Stage) -> str:
    """Returns the text of one stage with every line in its place; the others are blank. Other text is unchanged.

    Raises AuthorTextError where a file has sections and none of that stage.
    """
    if not has_sections(text):
        return text
    marks = [*_SECTION.finditer(without_comments(text))]
    own = next((at for at, mark in enumerate(marks) if mark["stage"] == stage), None)
    if own is None:
        row = text.count("\n", 0, marks[0].start("stage"))
        got = ", ".join(f"#[{mark['stage']}]" for mark in marks)
        do_next = "A pass has vertex and fragment, or compute."
        raise AuthorTextError(row, f"a section #[{stage}]", f"{got} alone", do_next)
    start, stop = marks[own].end(), marks[own + 1].start() if own + 1 < len(marks) else len(text)
    # What stands before all sections belongs to none.
    return _NOT_A_LINE_END.sub("", text[:start]) + text[start:stop] + _NOT_A_LINE_END.sub("", text[stop:])
