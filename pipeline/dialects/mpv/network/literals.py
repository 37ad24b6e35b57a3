"""Numbers as a shader writes them, one by one and in the long lists of weights."""

from __future__ import annotations

import re

from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber, NotUnderstoodError

_LITERAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LITERALS = re.compile(rf"\((?:\s*{_LITERAL.pattern}\s*,)*\s*{_LITERAL.pattern}\s*\)")


def number(text: str, line: int) -> LiteralNumber:
    """The number of a literal on that line. Raises NotUnderstoodError for one beyond GLSL's."""
    plain = text.rstrip("uUfFhHlL") if text[:2].lower() != "0x" else text.rstrip("uU")
    try:
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|[+-]?\d+", plain):
            return LiteralNumber(float(int(plain, 0 if "x" in plain.lower() else 10)), line, integer=True)
        return LiteralNumber(float(plain), line)
    except (ValueError, OverflowError) as error:
        raise NotUnderstoodError(f"the number {text}") from error


def is_list(text: str) -> bool:
    """Whether the text, parentheses around it, is a list of literals and nothing else."""
    return _LITERALS.fullmatch(text) is not None


def numbers(text: str, line: int) -> list[LiteralNumber]:
    """The numbers of a list of literals that begins on that line."""
    if "\n" not in text:
        return [number(each.strip(), line) for each in text[1:-1].split(",")]
    found = []
    for match in _LITERAL.finditer(text):
        found.append(number(match.group(), line + text.count("\n", 0, match.start())))
    return found
