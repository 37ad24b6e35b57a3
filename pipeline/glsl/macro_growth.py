"""How many words a text's macros become: those of a few lines can fill all memory before a driver complains."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from pipeline.glsl.comments import without_comments

# Words of a whole text, its macros written out. Mesa takes about a kilobyte for each.
MOST_WORDS = 1 << 20

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_WORD = re.compile(r"\w+|[^\s\w]")
# Beyond, nobody counts; and so deep may macros name each other.
_MANY, _DEEPEST = 1 << 40, 100


@dataclass(frozen=True)
class _Size:
    """Words of a text: `own`, and `times` those of an argument."""

    own: int
    times: int = 0


class _TooDeepError(Exception):
    """Macros that name each other too deep; the first of them."""


@dataclass
class _Growth:
    bodies: dict[str, list[tuple[frozenset[str] | None, list[str]]]] = field(default_factory=dict)
    known: dict[str, _Size] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def of(self, name: str) -> _Size:
        """What one use of a macro becomes, of several definitions the longest; within itself it stays as it is."""
        if name in self.known or name in self.open:
            return self.known.get(name, _Size(1, 1))
        if len(self.open) >= _DEEPEST:
            raise _TooDeepError(self.open[0])
        self.open.append(name)
        sizes = [self.sum(words, parameters or frozenset()) for parameters, words in self.bodies[name]]
        self.open.pop()
        self.known[name] = _Size(max(each.own for each in sizes), max(each.times for each in sizes))
        return self.known[name]

    def total(self, words: list[str]) -> int:
        """What a whole text becomes, after `of` was asked for every macro."""
        if any(each.times > 1 for each in self.known.values()):
            return self.sum(words, frozenset()).own
        # Arguments stand at most once in what comes of them, so that nobody has to know whose they are.
        counts = Counter(words)
        return len(words) + sum(each.own * counts[name] for name, each in self.known.items())

    def sum(self, words: list[str], parameters: frozenset[str]) -> _Size:
        """What words become, macros in the arguments of macros too."""
        total, stack, last = _Size(0), [], _Size(0)
        for word in words:
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
        while stack:
            total = _added(total, stack.pop()[0])
        return total


def _added(one: _Size, other: _Size) -> _Size:
    return _Size(min(one.own + other.own, _MANY), min(one.times + other.times, _MANY))


def endless_macro(text: str) -> tuple[str, int] | None:
    """The macro that grows most, and the 0-based line that defines it, where `text` becomes more than MOST_WORDS.

    Macros that name each other a hundred deep count as growing without end. An estimate from above: conditions count
    as true, and each parameter as the longest argument.
    """
    if "define" not in text:
        return None
    bare = without_comments(text)
    growth = _Growth()
    lines: dict[str, int] = {}
    for match in _DEFINE.finditer(bare):
        name, parameters, body = match.groups()
        names = None if parameters is None else frozenset(_WORD.findall(parameters)) - set("(),")
        growth.bodies.setdefault(name, []).append((names, _WORD.findall(body)))
        lines.setdefault(name, bare.count("\n", 0, match.start()))
    try:
        sizes = {name: growth.of(name) for name in growth.bodies}
    except _TooDeepError as error:
        return str(error), lines[str(error)]
    if not sizes or growth.total(_WORD.findall(_DEFINE.sub("", bare))) <= MOST_WORDS:
        return None
    worst = max(sizes, key=lambda name: (sizes[name].own, sizes[name].times))
    return worst, lines[worst]
