"""Finds comments of GLSL, and returns text without them."""

from __future__ import annotations

import re
from functools import lru_cache

# A pattern's text, for any flags. An unterminated block comment extends to the end of the text, as for a driver. A
# backslash does not continue a line comment: whether it does depends on version and driver, and text treated as code
# although the driver skips it does less harm than the reverse.
COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"

_COMMENT = re.compile(COMMENT)
_NOT_A_LINE_END = re.compile(r"[^\n]")
_LEADING = re.compile(r"\A(?:[ \t]*//[^\n]*\n|\n)+")


@lru_cache(maxsize=8)
def without_comments(text: str) -> str:
    """Blanks comments, with every other character in its place: a comment separates words, and lines stay."""
    return _COMMENT.sub(lambda match: _NOT_A_LINE_END.sub(" ", match[0]), text)


def leading_comment(text: str) -> tuple[str, str]:
    """Returns the line comments that begin a text, blank lines among them, and the rest of it."""
    match = _LEADING.match(text)
    length = match.end() if match is not None else 0
    return text[:length], text[length:]
