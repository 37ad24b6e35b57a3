"""Splits shader text into names, numbers and signs, with the preprocessor's directives they stand in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.source_text import without_comments

# An unterminated text ends with its line, so that a quotation mark that is typed first does not hide the rest.
_TOKEN = re.compile(r'"[^"\n]*(?:"|(?=\n)|\Z)|[A-Za-z_]\w*|\.?\d[\w.]*|##|[^\s\w]')
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\[\s\S])*", re.MULTILINE)


@dataclass(frozen=True)
class TextToken:
    """Is one word or sign of a text, from the letter `start` to the one before `stop`.

    `directive` counts the text's directives: the one that the token stands in, -1 for none.
    """

    text: str
    start: int
    stop: int
    directive: int = -1

    @property
    def is_name(self) -> bool:
        """Whether it is a word: a name or a keyword."""
        return self.text[0].isalpha() or self.text[0] == "_"


def tokens_of(text: str) -> tuple[TextToken, ...]:
    """Returns the tokens of a text in order; comments have none."""
    bare = without_comments(text)
    directives = [match.span() for match in _DIRECTIVE.finditer(bare)]
    starts = [start for start, _ in directives]

    def directive_at(place: int) -> int:
        number = bisect_right(starts, place) - 1
        return number if number >= 0 and place < directives[number][1] else -1

    found = ((match[0], *match.span()) for match in _TOKEN.finditer(bare) if not match[0].isspace())
    return tuple(TextToken(word, start, stop, directive_at(start)) for word, start, stop in found)


def partners(tokens: Sequence[TextToken]) -> dict[int, int]:
    """Maps the number of each opening bracket to that of its closing one, and back; those without one are left out."""
    closing = {")": "(", "]": "[", "}": "{"}
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            opened.append(number)
        elif token.text in closing:
            while opened and tokens[opened[-1]].text != closing[token.text]:
                opened.pop()
            if opened:
                start = opened.pop()
                found[start], found[number] = number, start
    return found
