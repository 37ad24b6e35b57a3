"""Estimates the work that a shader's text gives a driver: its words with macros and functions expanded.

Drivers inline every function, so that functions of two calls each grow as macros do, and they go down the tree of an
expression by recursion, so that a long sum crashes them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from texelscope.pipeline.glsl.macro_growth import (
    DEEPEST,
    DEFINE,
    WORD,
    MacroGrowth,
    TooDeepError,
    macros_of,
    one_line_each,
)
from texelscope.pipeline.glsl.source_text import without_comments

# Beyond these a shader is tried first. Mesa takes five seconds for as many words of plain arithmetic, and crashes on an
# expression ten times as long; known networks with their weights as literals stay below both.
MOST_WORDS, MOST_OF_A_STATEMENT = 80_000, 10_000
# Arrays that are larger take LLVM minutes.
MOST_ELEMENTS = 65_536

_NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)[uU]?(?![\w.])")
_LINE = re.compile(r"^[ \t]*#[ \t]*line\b[^\n]*", re.MULTILINE)
_KEYWORDS = frozenset({"if", "for", "while", "switch", "return", "else", "layout"})


@lru_cache(maxsize=64)
def is_strange(text: str) -> bool:
    """Whether a driver may take long over the text, or crash on it."""
    lines = _LINE.sub("", one_line_each(without_comments(text)))
    if "[" in lines and any(map(_is_many, _NUMBER.findall(lines))):
        return True
    words = WORD.findall(DEFINE.sub("", lines))
    try:
        sizes = _Sizes(MacroGrowth(macros_of(lines)), dict(_functions(words)))
        most = max([sizes.of_words(words), *map(sizes.of_function, sizes.functions)])
        return most > MOST_WORDS or (
            most > MOST_OF_A_STATEMENT
            and any(sizes.of_words(each) > MOST_OF_A_STATEMENT for each in _statements(words))
        )
    except TooDeepError:
        return True


def _is_many(number: str) -> bool:
    return int(number, 16 if number[:2] in ("0x", "0X") else 10) > MOST_ELEMENTS


class _Sizes:
    """Counts words once macros are replaced and functions inlined."""

    def __init__(self, macros: MacroGrowth, functions: Mapping[str, list[str]]) -> None:
        self._macros = macros
        self.functions = functions
        for name in macros.bodies:
            macros.of(name)
        self._known: dict[str, int] = {}
        self._depth = 0

    def of_words(self, words: list[str]) -> int:
        return len(words) if self._macros.bodies.keys().isdisjoint(words) else self._macros.total(words)

    def of_function(self, name: str) -> int:
        """Counts a function that calls itself, which drivers refuse, by its text alone."""
        if name not in self._known:
            if self._depth > DEEPEST:
                raise TooDeepError(name)
            self._known[name] = len(self.functions[name])
            self._depth += 1
            body = self.functions[name]
            called = Counter(body)
            inside = sum(called[each] * self.of_function(each) for each in called.keys() & self.functions.keys())
            self._known[name] = self.of_words(body) + inside
            self._depth -= 1
        return self._known[name]


def _statements(words: list[str]) -> Iterator[list[str]]:
    begin = 0
    for end, word in enumerate([*words, ";"]):
        if word in ";{}":
            yield words[begin:end]
            begin = end + 1


def _functions(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields names and bodies of the functions of a text."""
    depth, begin, name = 0, 0, ""
    for position, word in enumerate(words):
        if word == "{":
            if depth == 0:
                begin = position + 1
            depth += 1
        elif word == "}":
            depth = max(depth - 1, 0)
            if depth == 0:
                if name and name not in _KEYWORDS:
                    yield name, words[begin:position]
                name = ""
        elif depth == 0 and word == ";":
            name = ""
        elif depth == 0 and word == "(" and not name and position:
            name = words[position - 1]
