"""Finds the lines of a shader that hold code, and those that a fragment never ran, from the text."""

from __future__ import annotations

import re
from collections.abc import Container

from texelscope.pipeline.glsl.source_text import without_comments

# A declaration without a value, `else`, a brace: not a step.
_NO_STEP = re.compile(
    r"(?:\}?\s*else\b\s*\{?|[{}\s;]*|(?:[A-Za-z_]\w*\s+)+[A-Za-z_]\w*(?:\[[^\]]*\])?\s*(?:,\s*\w+\s*)*;)\Z"
)
_ENDS_STATEMENT = (";", "{", "}", ":")


def unrun_lines(text: str, run: Container[int]) -> frozenset[int]:
    """Returns the lines, from 1, inside functions whose statements all began at no line of `run`.

    A statement of several lines is at its first one; a declaration without a value counts with the statement before it.
    """
    found: set[int] = set()
    depth, begins, is_unrun = 0, True, False
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            if number in run or depth == 0 or bare.startswith(("{", "}")):
                is_unrun = False
            elif begins and _NO_STEP.match(bare) is None:
                is_unrun = True
            if is_unrun:
                found.add(number)
            begins = bare.endswith(_ENDS_STATEMENT) or (bare.endswith(")") and bare.startswith(("if", "for", "while")))
        depth += bare.count("{") - bare.count("}")
    return frozenset(found)


def line_with_code(text: str, number: int) -> int:
    """Returns the line, from 1, or the first one below it with more than space, comment or brace; itself if none."""
    for below, line in enumerate(without_comments(text).split("\n")[number - 1 :], number):
        bare = line.strip()
        if bare.strip("{};") and not bare.startswith("#"):
            return below
    return number
