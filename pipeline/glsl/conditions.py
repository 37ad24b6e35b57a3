"""Evaluates the conditions of #if: whole numbers, names and operators, some of which may be unknown.

OpenGL Shading Language 4.60, section 3.3, has the operators and their order; they are those of C.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from texelscope.layouts.outside_text import whole_number

# Whether a name is a macro; its number. None where nobody knows.
IsDefined = Callable[[str], bool | None]
NumberOf = Callable[[str], int | None]

_TOKEN = re.compile(r"\s*(?P<token>\w+|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%!~<>()&|^])\s*")
# By how tightly they bind, loosest first.
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_LONGEST, _DEEPEST, _MOST_SHIFT = 4096, 40, 31
_BEYOND = 1 << 63


class _NoConditionError(Exception):
    """Raised for text that is no condition."""


def condition_value(text: str, is_defined: IsDefined, number_of: NumberOf) -> int | None:
    """Returns the value of a condition, 0 for one that does not hold; None if unknown names decide it."""
    tokens, position = [], 0
    while position < len(text) <= _LONGEST:
        found = _TOKEN.match(text, position)
        if found is None:
            return None
        tokens.append(found["token"])
        position = found.end()
    reader = _Reader(tokens, is_defined, number_of)
    try:
        value = reader.binary(0)
    except _NoConditionError:
        return None
    return value if reader.position == len(tokens) else None


@dataclass
class _Reader:
    tokens: list[str]
    is_defined: IsDefined
    number_of: NumberOf
    position: int = 0
    depth: int = field(default=0)

    def binary(self, level: int) -> int | None:
        """Reads operators of that level and tighter ones."""
        if level == len(_LEVELS):
            return self._unary()
        left = self.binary(level + 1)
        while self._next() in _LEVELS[level]:
            operator = self._take()
            left = _fitting(_applied(operator, left, self.binary(level + 1)))
        return left

    def _unary(self) -> int | None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NoConditionError
        token = self._take()
        if token in ("!", "-", "+", "~"):
            value = self._unary()
            if value is not None:
                value = {"!": int(not value), "-": -value, "+": value, "~": ~value}[token]
        elif token == "(":
            value = self.binary(0)
            self._expect(")")
        elif token == "defined":
            value = self._defined()
        elif (number := whole_number(token)) is not None:
            value = number
        elif re.fullmatch(r"[A-Za-z_]\w*", token):
            value = self.number_of(token)
        else:
            raise _NoConditionError
        self.depth -= 1
        return value

    def _defined(self) -> int | None:
        is_wrapped = self._next() == "("
        if is_wrapped:
            self._take()
        known = self.is_defined(self._take())
        if is_wrapped:
            self._expect(")")
        return None if known is None else int(known)

    def _next(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def _take(self) -> str:
        token = self._next()
        if not token:
            raise _NoConditionError
        self.position += 1
        return token

    def _expect(self, wanted: str) -> None:
        if self._take() != wanted:
            raise _NoConditionError


def _fitting(value: int | None) -> int | None:
    """Returns the number; None for one of more than 64 bits, which no compiler computes."""
    return value if value is not None and -_BEYOND <= value < _BEYOND else None


def _applied(operator: str, left: int | None, right: int | None) -> int | None:
    if operator in ("||", "&&"):
        decisive = operator == "||"
        known = [bool(each) for each in (left, right) if each is not None]
        return int(decisive) if decisive in known else None if len(known) < 2 else int(not decisive)
    if left is None or right is None:
        return None
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right <= _MOST_SHIFT:
            return None
        return left << right if operator == "<<" else left >> right
    return int(_PLAIN[operator](left, right))


_PLAIN: dict[str, Callable[[int, int], int]] = {
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
