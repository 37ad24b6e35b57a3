"""Compares mutations word by word: two make the same change, or one removes what the other inserts."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache

from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition
from texelscope.pipeline.repair.places.axes import canonical
from texelscope.pipeline.repair.programs.mutant_schema import Mutant

_NUMBERS = re.compile(r"-?\s*\d[\w.]*|\d+")
Words = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """The words that a mutation removes, and those that it inserts, written as `comes`.

    They are removed from byte `start` to `stop`, in a row of the text. If the old text is an `operand` of the new one,
    `old` and `new` are the words before and after it.
    """

    edit: Mutant
    start: int
    stop: int
    row: int
    operand: Words
    old: Words
    new: Words
    comes: str


class Text:
    """Counts the rows and functions of a shader, by the bytes of its text."""

    def __init__(self, source: str) -> None:
        data = source.encode()
        self._ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
        self._rows = [_NUMBERS.sub("0", canonical_text(row)) for row in source.split("\n")]
        root = parse(constructors_as_calls(without_precisions(data)))
        self._functions = [each.start_byte for each in root.of_type(FunctionDefinition)]

    def row(self, place: int) -> int:
        """Returns the row of a byte, from 0."""
        return bisect(self._ends, place)

    def function(self, place: int) -> int:
        """Returns the number of the function that contains a byte, or precedes it."""
        return bisect(self._functions, place)

    def are_alike(self, row: int, other: int) -> bool:
        """Whether two rows are equal except for numbers, their signs, and axes."""
        return self._rows[row] == self._rows[other]


def change_of(edit: Mutant, text: Text) -> Change:
    """Returns what a mutation of one place changes there."""
    place = edit.proposal
    (starts, whole), (places, every) = _words(place.old), _words(place.new)
    new, old, row = _bare(every), _bare(whole), text.row(place.start)
    for at in range(len(new) - len(old) + 1) if len(new) > len(old) else ():
        if new[at : at + len(old)] == old:
            return Change(edit, place.start, place.stop, row, old, new[:at], new[at + len(old) :], place.new)
    head = tail = 0
    while head < min(len(whole), len(new)) and whole[head] == new[head]:
        head += 1
    while tail < min(len(whole), len(new)) - head and whole[-1 - tail] == new[-1 - tail]:
        tail += 1
    skipped, goes, comes = (len(every) - len(new)) // 2, whole[head : len(whole) - tail], new[head : len(new) - tail]
    start = place.start + _bytes(place.old, starts[head] if head < len(starts) else len(place.old))
    last = len(whole) - tail - 1
    stop = place.start + _bytes(place.old, starts[last] + len(whole[last])) if goes else start
    first, end = skipped + head, skipped + len(new) - tail - 1
    written = place.new[places[first] : places[end] + len(every[end])] if comes else ""
    return Change(edit, start, stop, row, (), goes, comes, written)


def _bytes(text: str, letters: int) -> int:
    return len(text[:letters].encode())


def canonical_text(text: str) -> str:
    """Returns a text with all names as those of the first axis."""
    return WORD.sub(lambda found: canonical_word(found[0]), text)


@lru_cache(maxsize=1 << 14)
def canonical_word(word: str) -> str:
    """Returns a name as that of the first axis."""
    return canonical(word)


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[tuple[int, ...], Words]:
    """Returns where the words of a text begin, and the words."""
    found = [*WORD.finditer(text)]
    return tuple(each.start() for each in found), tuple(each[0] for each in found)


def _bare(words: Words) -> Words:
    """Removes the parentheses around all of them."""
    while len(words) > 2 and words[0] == "(" and _closing(words) == len(words) - 1:
        words = words[1:-1]
    return words


def _closing(words: Words) -> int:
    depth = 0
    for at, word in enumerate(words):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            return at
    return -1
