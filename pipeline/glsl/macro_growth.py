"""Estimates how many words a text's macros expand to: a few lines can fill all memory before a driver complains."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.quotas import present

DEFINE = re.compile(r"^[ \t\v\f]*#[ \t\v\f]*define[ \t\v\f]+(\w+)(\([^)\n]*\))?([^\n]*)", re.MULTILINE)
WORD = re.compile(r"\w+|[^\s\w]")
# Counting stops beyond this number; and the deepest nesting of macros.
_MANY, DEEPEST = 1 << 40, 100
_CARRIED_ON = re.compile(r"(?:[^\n]*\\\r?\n)+[^\n]*")

# Maps each macro's name to the parameters and the words of every definition.
Bodies = dict[str, list[tuple[frozenset[str] | None, list[str]]]]


@dataclass(frozen=True)
class _Size:
    """Counts words of a text: `own`, and `times` those of an argument."""

    own: int
    times: int = 0


_NOTHING = _Size(0)


class TooDeepError(Exception):
    """Raised for macros nested too deep; names the first of them."""


@dataclass
class MacroGrowth:
    """Estimates what names expand to, macros and other replaced names."""

    bodies: Bodies = field(default_factory=dict)
    known: dict[str, _Size] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def of(self, name: str) -> _Size:
        """Returns the size of a macro's use, for several definitions the longest; within itself it is not expanded."""
        if name in self.known or name in self.open:
            return self.known.get(name, _Size(1, 1))
        if len(self.open) >= DEEPEST:
            raise TooDeepError(self.open[0])
        self.open.append(name)
        sizes = [self.sum(words, parameters or frozenset()) for parameters, words in self.bodies[name]]
        self.open.pop()
        self.known[name] = _Size(max(each.own for each in sizes), max(each.times for each in sizes))
        return self.known[name]

    def total(self, words: list[str]) -> int:
        """Returns the size of a text, after `of` was called for every macro."""
        counts = Counter(words)
        used = {name: self.known[name] for name in counts.keys() & self.known.keys()}
        if any(each.times > 1 for each in used.values()):
            return self.sum(words, frozenset()).own
        # Arguments occur at most once in their expansion, so that their owner does not matter.
        return len(words) + sum(each.own * counts[name] for name, each in used.items())

    def sum(self, words: list[str], parameters: frozenset[str]) -> _Size:
        """Returns the size of words, with macros in the arguments of macros."""
        total, stack, last, plain = _Size(0), [], _Size(0), 0
        special = {"(", ")", *parameters, *self.bodies}
        for word in words:
            if word not in special:
                plain, last = plain + 1, _NOTHING
                continue
            total, plain = _added(total, _Size(plain)), 0
            own = _Size(0, 1) if word in parameters else self.of(word) if word in self.bodies else _Size(1)
            is_macro = word in self.bodies and word not in parameters
            if word == "(":
                stack.append((total, last))
                total = _Size(0)
            elif word == ")" and stack:
                inner, (total, called) = total, stack.pop()
                times = max(called.times, 1)
                total = _added(total, _Size(inner.own * times, inner.times * times))
            total = _added(total, _Size(own.own, 0 if is_macro else own.times))
            last = own if is_macro else _Size(0)
        total = _added(total, _Size(plain))
        while stack:
            total = _added(total, stack.pop()[0])
        return total


def _added(one: _Size, other: _Size) -> _Size:
    return _Size(min(one.own + other.own, _MANY), min(one.times + other.times, _MANY))


def one_line_each(text: str) -> str:
    """Joins every line that a backslash continues; as many empty lines follow, so that numbers stay."""
    if "\\" not in text:
        return text
    return _CARRIED_ON.sub(_joined, text)


def _joined(lines: re.Match[str]) -> str:
    ends = lines[0].count("\n")
    return lines[0].replace("\\\r\n", "").replace("\\\n", "") + "\n" * ends


def macros_of(text: str) -> Bodies:
    """Returns parameters and words of each macro of a text without comments, by name: one entry per definition."""
    bodies: Bodies = {}
    for match in DEFINE.finditer(text):
        name, parameters, body = match.groups()
        names = None if parameters is None else frozenset(WORD.findall(parameters)) - set("(),")
        bodies.setdefault(name, []).append((names, WORD.findall(body)))
    return bodies


def endless_macro(text: str) -> tuple[str, int] | None:
    """Finds the macro that grows most, and the 0-based line that defines it, if `text` exceeds the
    quota `expanded_words`.

    Macros nested a hundred deep count as endless. The estimate is an upper bound: conditions count
    as true, and each parameter as the longest argument.
    """
    if "define" not in text:
        return None
    bare = one_line_each(without_comments(text))
    growth = MacroGrowth(macros_of(bare))
    lines = {match[1]: bare.count("\n", 0, match.start()) for match in reversed([*DEFINE.finditer(bare)])}
    try:
        sizes = {name: growth.of(name) for name in growth.bodies}
    except TooDeepError as error:
        return str(error), lines[str(error)]
    if not sizes or growth.total(WORD.findall(DEFINE.sub("", bare))) <= present().expanded_words:
        return None
    worst = max(sizes, key=lambda name: (sizes[name].own, sizes[name].times))
    return worst, lines[worst]
