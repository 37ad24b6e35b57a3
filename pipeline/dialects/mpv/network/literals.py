"""Parses the numbers of a shader's text, each with its line."""

from __future__ import annotations

import re

from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber, NotUnderstoodError, fitting

_LITERAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LITERALS = re.compile(rf"\((?:\s*{_LITERAL.pattern}\s*,)*\s*{_LITERAL.pattern}\s*\)")


def number(text: str, line: int) -> LiteralNumber:
    """Parses a literal on that line. Raises NotUnderstoodError for a number beyond GLSL's range."""
    sign, digits = (-1 if text.startswith("-") else 1), text.lstrip("+-").lower()
    whole = digits.removesuffix("u")
    try:
        if whole.startswith("0x"):
            return fitting(LiteralNumber(float(sign * int(whole, 16)), line, integer=True))
        if whole.isdecimal():
            base = 8 if whole.startswith("0") else 10
            return fitting(LiteralNumber(float(sign * int(whole, base)), line, integer=True))
        return LiteralNumber(sign * float(digits.rstrip("fhl")), line)
    except (ValueError, OverflowError) as error:
        raise NotUnderstoodError(f"the number {text}") from error


def is_list(text: str) -> bool:
    """Reports whether the text, parentheses around it, is a list of literals and nothing else."""
    return _LITERALS.fullmatch(text) is not None


def numbers(text: str, line: int) -> list[LiteralNumber]:
    """Parses a list of literals that begins on that line."""
    if "\n" not in text:
        return [number(each.strip(), line) for each in text[1:-1].split(",")]
    found = []
    for match in _LITERAL.finditer(text):
        found.append(number(match.group(), line + text.count("\n", 0, match.start())))
    return found
