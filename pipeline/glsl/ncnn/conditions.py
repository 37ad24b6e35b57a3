"""Selects a mode's part of a shader: decides `#if`s over ncnn's macros and blanks the lines of other branches.

A driver's preprocessor would do the same; it is done here so that analyses of the text (bindings, reads)
see the mode's branch alone. Conditions with any other name are left to the driver.
"""

from __future__ import annotations

import operator as operators
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.comments import without_comments

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(?P<name>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>.*)", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(?P<number>\d+)[uU]?|(?P<name>[A-Za-z_]\w*)|(?P<operator>&&|\|\||[=!<>]=|[-+*/%<>!()&]))")
_OWN = re.compile(r"(?:NCNN_|ncnn_)\w+")
_LEVELS = (("||",), ("&&",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "&": operators.and_, "==": operators.eq, "!=": operators.ne, "<": operators.lt, ">": operators.gt,
    "<=": operators.le, ">=": operators.ge, "+": operators.add, "-": operators.sub, "*": operators.mul,
    "/": operators.floordiv, "%": operators.mod,
}  # fmt: skip


@dataclass
class _Branches:
    """An open `#if`. `is_ours` says that it is decided here; `is_done` that a branch was taken."""

    is_ours: bool
    stands: bool
    is_done: bool


def decided(text: str, macros: Mapping[str, int]) -> str:
    """Returns `text` with blank lines for branches that `macros` exclude; unknown macros of ncnn are 0."""
    stack: list[_Branches] = []
    out = []
    for line, bare in zip(text.split("\n"), without_comments(text).split("\n"), strict=True):
        match = _DIRECTIVE.match(bare)
        if match is None:
            out.append(line if all(each.stands for each in stack) else "")
            continue
        outer = all(each.stands for each in stack[: -1 if match["name"] in ("elif", "else", "endif") else None])
        mine = _directive(match["name"], match["rest"], stack, macros)
        out.append("" if mine or not outer else line)
    return "\n".join(out)


def _directive(name: str, rest: str, stack: list[_Branches], macros: Mapping[str, int]) -> bool:
    """Handles a directive; returns whether it was decided here, so that its line is blanked too."""
    if name in ("if", "ifdef", "ifndef"):
        value = _value(rest if name == "if" else f"defined({rest.strip()})", macros)
        if name == "ifndef" and value is not None:
            value = not value
        stack.append(_Branches(value is not None, value is None or bool(value), bool(value)))
        return value is not None
    if not stack:
        return False
    last = stack[-1]
    if not last.is_ours:
        if name == "endif":
            stack.pop()
        return False
    if name == "endif":
        stack.pop()
    else:
        value = 1 if name == "else" else _value(rest, macros)
        last.stands = not last.is_done and bool(value)
        last.is_done = last.is_done or last.stands
    return True


def _value(text: str, macros: Mapping[str, int]) -> int | None:
    """Evaluates the condition; None if it has names that are not ncnn's, or is unsupported."""
    tokens, position = [], 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        tokens.append(match[match.lastgroup or 0])
        position = match.end()
    names = [token for token in tokens if re.match(r"[A-Za-z_]", token) and token != "defined"]
    if not names or not all(_OWN.fullmatch(name) for name in names):
        return None
    parser = _Parser(tokens, macros)
    try:
        value = parser.level(0)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if parser.at == len(tokens) else None


@dataclass
class _Parser:
    """Parses with the precedence of the preprocessor (GLSL 4.60, section 3.3)."""

    tokens: list[str]
    macros: Mapping[str, int]
    at: int = 0

    def level(self, number: int) -> int:
        if number == len(_LEVELS):
            return self.single()
        value = self.level(number + 1)
        while self.at < len(self.tokens) and self.tokens[self.at] in _LEVELS[number]:
            operator = self.tokens[self.at]
            self.at += 1
            value = _applied(operator, value, self.level(number + 1))
        return value

    def single(self) -> int:
        token = self.tokens[self.at]
        self.at += 1
        if token == "!":
            return int(not self.single())
        if token == "-":
            return -self.single()
        if token == "(":
            value = self.level(0)
            self._expect(")")
            return value
        if token == "defined":
            has_parentheses = self.tokens[self.at] == "("
            name = self.tokens[self.at + has_parentheses]
            self.at += 1 + has_parentheses
            if has_parentheses:
                self._expect(")")
            return int(name in self.macros)
        number = whole_number(token)
        return self.macros.get(token, 0) if number is None else number

    def _expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise ValueError(token)
        self.at += 1


def _applied(operator: str, left: int, right: int) -> int:
    if operator == "||":
        return int(bool(left or right))
    if operator == "&&":
        return int(bool(left and right))
    return int(_OPERATORS[operator](left, right))
