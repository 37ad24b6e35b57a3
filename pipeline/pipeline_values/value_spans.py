"""Finds where each value of a TOML text stands, so that one is replaced and every other letter stays.

The text is valid TOML: `toml_values` has read it. Tables, dotted and quoted keys, arrays and inline tables are
followed; a key of an array of tables has the table's number, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from texelscope.pipeline.untrusted_files.texts import toml_values

# The keys and numbers that lead to a value: ("pass", 0, "uniforms", "u_gain", 2).
ValuePath = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}#\n\r]*")
_STRINGS = (
    re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL),
    re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


@dataclass(frozen=True)
class Span:
    """Names a part of a text, from `start` to before `stop`, in letters."""

    start: int
    stop: int


@dataclass
class ValueSpans:
    """The places of all values of a text, also of those inside arrays and inline tables, by their paths.

    `ends` has by the path of each table with a header of its own where its last line of keys ends, in letters.
    """

    spans: dict[ValuePath, Span] = field(default_factory=dict)
    inline: dict[ValuePath, Span] = field(default_factory=dict)
    ends: dict[ValuePath, int] = field(default_factory=dict)


def value_spans(text: str) -> ValueSpans:
    """Returns the places of all values of a valid TOML text."""
    return _Reading(text).run()


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._found = ValueSpans()
        # The number of the last table of each array of tables, by path.
        self._numbers: dict[ValuePath, int] = {}

    def run(self) -> ValueSpans:
        table: ValuePath = ()
        while self._skip(_BLANK) < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
                self._found.ends[table] = self._at
                continue
            self._entry(table)
            self._found.ends[table] = self._at
        return self._found

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        return self._at

    def _header(self) -> ValuePath:
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        self._skip(_SPACE)
        keys = self._key()
        self._at = self._text.index("]", self._at) + (2 if is_array else 1)
        path = self._resolved(keys[:-1])
        path = (*path, keys[-1])
        if is_array:
            self._numbers[path] = self._numbers.get(path, -1) + 1
        return self._resolved(keys)

    def _resolved(self, keys: Sequence[str]) -> ValuePath:
        """Returns the path of a table, with the number of the last one where it is an array of tables."""
        path: ValuePath = ()
        for key in keys:
            path = (*path, key)
            if path in self._numbers:
                path = (*path, self._numbers[path])
        return path

    def _key(self) -> tuple[str, ...]:
        """Reads a key, dotted or not, and what is blank behind it."""
        keys = []
        while True:
            self._skip(_SPACE)
            if self._text[self._at] in "\"'":
                start = self._at
                self._string()
                keys.append(str(next(iter(toml_values(f"{self._text[start : self._at]} = 0", "a key")))))
            else:
                start = self._at
                self._skip(_BARE_KEY)
                keys.append(self._text[start : self._at])
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return tuple(keys)
            self._at += 1

    def _entry(self, table: ValuePath) -> None:
        path = (*table, *self._key())
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: ValuePath) -> None:
        start, first = self._at, self._text[self._at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline(path)
            self._found.inline[path] = Span(start, self._at)
        else:
            self._skip(_BARE_VALUE)
            self._at = start + len(self._text[start : self._at].rstrip())
        self._found.spans[path] = Span(start, self._at)

    def _array(self, path: ValuePath) -> None:
        self._at += 1
        number = 0
        while True:
            self._skip(_BLANK)
            if self._text[self._at] == "]":
                self._at += 1
                return
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._value((*path, number))
            number += 1

    def _inline(self, path: ValuePath) -> None:
        self._at += 1
        while True:
            self._skip(_BLANK)
            if self._text[self._at] == "}":
                self._at += 1
                return
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._entry(path)

    def _string(self) -> None:
        match = next((match for each in _STRINGS if (match := each.match(self._text, self._at))), None)
        assert match is not None
        self._at = match.end()
