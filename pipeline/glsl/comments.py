"""Comments of GLSL: where they are, and text without them."""

from __future__ import annotations

import re
from functools import lru_cache

# A pattern's text, for any flags. A block comment that nothing ends goes on to the end of the text, as for a driver. A
# backslash does not carry a line comment on: whether it does depends on version and driver, and what is taken for text
# although the driver skips it does less harm than the other way round.
COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"

_COMMENT = re.compile(COMMENT)
_NOT_A_LINE_END = re.compile(r"[^\n]")
_LEADING = re.compile(r"\A(?:[ \t]*//[^\n]*\n|\n)+")


@lru_cache(maxsize=8)
def without_comments(text: str) -> str:
    """The text with comments blanked, every character where it was: a comment separates words, and lines stay."""
    return _COMMENT.sub(lambda match: _NOT_A_LINE_END.sub(" ", match[0]), text)


def leading_comment(text: str) -> tuple[str, str]:
    """The line comments that a text begins with, blank lines among them, and the rest of it."""
    match = _LEADING.match(text)
    length = match.end() if match is not None else 0
    return text[:length], text[length:]
