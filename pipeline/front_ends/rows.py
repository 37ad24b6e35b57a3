"""Gives each line of a text its place in another one, and writes these places as `#line`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.lines import LINES_PER_FILE, line_directive
from texelscope.pipeline.glsl.source_text import without_comments

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*line[ \t]+(?P<line>[0-9]{1,9})(?:[ \t]+(?P<file>[0-9]{1,9}))?[ \t]*$")

WORD = re.compile(r"\b[A-Za-z_]\w*\b")
# The source-string of lines that no author wrote, behind some that one did; no file of a program has so high a number.
NOBODYS = 998

# The number of a file, and a line of it from 1. None is of no file.
Place = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """One line of a text, and its place in the text that it was made of."""

    text: str
    place: Place | None


def rows_of(text: str) -> list[Row]:
    """Returns the lines of a text with the places that its `#line`s say, without those; before the first, with none.

    Numbers that hold their file (see `pipeline.glsl.lines`) are taken apart.
    """
    found: list[Row] = []
    file, number, is_placed = 0, 0, False
    for line, bare in zip(text.split("\n"), without_comments(text).split("\n"), strict=True):
        match = _DIRECTIVE.match(bare)
        if match is None:
            found.append(Row(line, (file, number) if is_placed else None))
            number += 1
            continue
        high, number = divmod(int(match["line"]), LINES_PER_FILE)
        file = high or (int(match["file"]) if match["file"] is not None else file)
        is_placed = True
    return found


def with_directives(rows: Sequence[Row]) -> str:
    """Returns the text of rows with a `#line` wherever a row is not the next of its file; blank rows go."""
    lines: list[str] = []
    after: Place | None = None
    for row in rows:
        if not row.text.strip():
            continue
        is_version = not lines and row.text.startswith("#version")
        place = row.place or ((NOBODYS, 1) if after is None or after[0] != NOBODYS else after)
        if not is_version and place != after:
            lines.append(line_directive(*place))
        lines.append(row.text)
        after = None if is_version else (place[0], place[1] + 1)
    return "\n".join(lines) + "\n"


def end_of_block(rows: Sequence[Row], at: int) -> int:
    """Returns the row that closes the braces that open at a row or behind it."""
    depth, is_open = 0, False
    for number in range(at, len(rows)):
        depth += rows[number].text.count("{") - rows[number].text.count("}")
        is_open = is_open or "{" in rows[number].text
        if is_open and depth == 0:
            return number
    return len(rows) - 1


def is_used_behind(rows: Sequence[Row], last: int, name: str) -> bool:
    """Whether a name is used behind a row, before the block around it ends."""
    depth = 0
    for row in rows[last + 1 :]:
        depth += row.text.count("{") - row.text.count("}")
        if depth < 0:
            return False
        if name in WORD.findall(row.text):
            return True
    return False


def indent_of(row: Row) -> str:
    """Returns the blanks that a row begins with."""
    return row.text[: len(row.text) - len(row.text.lstrip())]
