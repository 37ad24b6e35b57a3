"""Ranks mutations by what findings ask for: names and signs that they insert, and whether they change an address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from texelscope.pipeline.repair.programs.mutant_schema import Mutant

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|[-+*/%<>=!]=|&&|\|\||\S")
# A part of a name has at least this many letters; shorter ones count only between underscores.
_A_PART = 3
# Of the mutations asked for, those with the fewest new words come before all others, up to so many operations.
_MOST = 10_000
# The same without a finding.
_MOST_OF_NODES = 4_000


@dataclass(frozen=True)
class LikelyEdits:
    """What a fix is likely to look like.

    It inserts one of `words`: parts of names in small letters, whole names, signs. It changes `addresses`, or, if that
    is False, values; None if unknown. Unless a finding asks for it (`is_by_finding`), the words are only those of the
    model's operators.
    """

    words: frozenset[str] = frozenset()
    addresses: bool | None = None
    is_by_finding: bool = True

    def likeliest(self, edits: Iterable[Mutant]) -> dict[int, int]:
        """Returns, for short mutations that insert words asked for, their number and how many new words they have."""
        found: dict[int, tuple[int, int]] = {}
        for edit in edits if self.words else ():
            if self.is_elsewhere(edit) or (self.addresses and not edit.is_address):
                continue
            comes = _comes(edit)
            if any(self._has(word) for word in comes):
                found.setdefault(edit.number, (sum(comes.values()), edit.compile_cost))
        likeliest, operations = dict[int, int](), 0
        for number, (words, compile_cost) in sorted(found.items(), key=lambda each: each[1]):
            operations += compile_cost
            if operations > (_MOST if self.is_by_finding else _MOST_OF_NODES):
                break
            likeliest[number] = words
        return likeliest

    def is_elsewhere(self, edit: Mutant) -> bool:
        """Whether a mutation changes values where addresses are at fault, or the other way round."""
        return None not in (self.addresses, edit.is_address) and edit.is_address != self.addresses

    def _has(self, word: str) -> bool:
        is_part = any(len(part) >= _A_PART and part in word for part in self.words)
        return is_part or not self.words.isdisjoint((word, *word.split("_")))


def _comes(edit: Mutant) -> Counter[str]:
    """Returns the words that a mutation inserts."""
    comes: Counter[str] = Counter()
    for place in edit.places:
        comes += Counter(_words(place.new)) - Counter(_words(place.old))
    return comes


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.lower()))


# If no finding asks for anything.
NOTHING = LikelyEdits()
