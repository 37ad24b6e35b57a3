"""Where in a shader's text each variable is known: from its declaration to the end of its block or loop.

Read from the text alone, without its macros: what is not found declared in a function counts as known all through it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.glsl.comments import without_comments

_TOKEN = re.compile(r"[A-Za-z_]\w*|[{}();]|\S")
_DECLARATION = re.compile(
    r"\s*(?:(?:const|highp|mediump|lowp|precise)\s+)*(?P<type>[A-Za-z_]\w*)(?:\s*\[[^\]]*\])*\s+(?P<rest>[A-Za-z_]\w*\s*[=;,\[].*)",
    re.DOTALL,
)
_NO_TYPES = frozenset({"return", "else", "if", "for", "while", "do", "switch", "case", "break", "continue", "discard"})
_OPENING, _CLOSING = "([{", ")]}"


@dataclass
class _Scope:
    """A block or a loop: `names` are declared in it, each at a place in the text; it ends at `end`."""

    start: int
    is_loop: bool = False
    end: int = -1
    names: list[tuple[str, int]] = field(default_factory=list)


class Scopes:
    """Of one file; lines count from 1."""

    def __init__(self, text: str) -> None:
        self._text = without_comments(text)
        self._lines = [0, *(match.end() for match in re.finditer("\n", self._text))]
        self._functions: list[_Scope] = []
        self._scopes: list[_Scope] = []
        self._read()
        for scope in (*self._scopes, *self._functions):
            scope.end = len(self._text) if scope.end < 0 else scope.end

    def knows(self, name: str, line: int, statement: str) -> bool:
        """Whether a variable is known where a statement of that text begins at a line."""
        at = self._place(line, statement)
        function = next((each for each in self._functions if each.start <= at <= each.end), None)
        if function is None:
            return True
        inside = [each for each in self._scopes if function.start <= each.start <= function.end]
        declared = [(place, each.end) for each in inside for other, place in each.names if other == name]
        return not declared or any(place < at <= end for place, end in declared)

    def _place(self, line: int, statement: str) -> int:
        if not 1 <= line <= len(self._lines):
            return -1
        start = self._lines[line - 1]
        end = self._lines[line] if line < len(self._lines) else len(self._text)
        whole = self._text[start:end]
        found = whole.find(statement) if statement else -1
        return start + (found if found >= 0 else len(whole) - len(whole.lstrip()))

    def _read(self) -> None:
        opened: list[_Scope] = []
        parentheses, begins = 0, True
        heads: list[int] = []  # how many parentheses were open where the head of a loop began
        for match in _TOKEN.finditer(self._text):
            token, at = match[0], match.start()
            if begins and opened and token not in "{};":
                opened[-1].names.extend(self._declared(at))
            begins = token in "{};" or (token == "(" and bool(heads) and heads[-1] == parentheses)
            if token == "for" and opened:
                heads.append(parentheses)
                self._open(opened, _Scope(at, is_loop=True))
            elif token == "(":
                parentheses += 1
            elif token == ")":
                parentheses -= 1
                if heads and heads[-1] == parentheses:
                    heads.pop()
                    begins = True
            elif token == "{":
                if not opened:
                    self._functions.append(_Scope(at))
                self._open(opened, _Scope(at))
            elif token == "}" and opened:
                self._close(opened, at)
            elif token == ";" and not parentheses:
                self._close_loops(opened, at)

    def _open(self, opened: list[_Scope], scope: _Scope) -> None:
        opened.append(scope)
        self._scopes.append(scope)

    def _close(self, opened: list[_Scope], at: int) -> None:
        """A block ends, and with it the loops whose body it was."""
        while opened and opened[-1].is_loop:
            opened.pop().end = at
        if opened:
            opened.pop().end = at
        self._close_loops(opened, at)
        if not opened and self._functions:
            self._functions[-1].end = at

    def _close_loops(self, opened: list[_Scope], at: int) -> None:
        """A statement ends: loops without braces around it do too."""
        while opened and opened[-1].is_loop:
            opened.pop().end = at

    def _declared(self, at: int) -> list[tuple[str, int]]:
        """The names that a statement at a place declares."""
        stop = self._text.find(";", at)
        match = _DECLARATION.match(self._text, at, stop + 1) if stop >= 0 else None
        if match is None or match["type"] in _NO_TYPES:
            return []
        depth, parts = 0, [""]
        for letter in match["rest"]:
            depth += (letter in _OPENING) - (letter in _CLOSING)
            if letter == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += letter
        names = (re.match(r"\s*([A-Za-z_]\w*)", part) for part in parts)
        return [(name[1], at) for name in names if name is not None]
