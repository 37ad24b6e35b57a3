"""What findings ask of an edit: names and signs that it brings, and whether it is of where something is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from texelscope.pipeline.repair.programs.mutant_schema import Mutant

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|[-+*/%<>=!]=|&&|\|\||\S")
# Anywhere in a name a part has as many letters at least; what is shorter stands between its underscores.
_A_PART = 3
# Of edits that are asked for those are tried before all others that bring the fewest words, up to so many operations.
_MOST = 10_000
# Where no finding asks for it.
_MOST_OF_NODES = 4_000


@dataclass(frozen=True)
class LikelyEdits:
    """What is likely of the edit that mends a pass.

    It brings one of `words`: parts of names in small letters, whole names, signs. It is of `addresses`, what says where
    something is read, or, where that is False, of what is made of values; None where nobody knows. Where it is not
    asked for by a finding (`is_by_finding`), the words are only what the model has.
    """

    words: frozenset[str] = frozenset()
    addresses: bool | None = None
    is_by_finding: bool = True

    def likeliest(self, edits: Iterable[Mutant]) -> dict[int, int]:
        """Numbers of edits that bring what is asked for, with how many words these bring; those with few."""
        found: dict[int, tuple[int, int]] = {}
        for edit in edits if self.words else ():
            if self.is_elsewhere(edit) or (self.addresses and not edit.is_address):
                continue
            comes = _comes(edit)
            if any(self._has(word) for word in comes):
                found.setdefault(edit.number, (sum(comes.values()), edit.weight))
        likeliest, operations = dict[int, int](), 0
        for number, (words, weight) in sorted(found.items(), key=lambda each: each[1]):
            operations += weight
            if operations > (_MOST if self.is_by_finding else _MOST_OF_NODES):
                break
            likeliest[number] = words
        return likeliest

    def is_elsewhere(self, edit: Mutant) -> bool:
        """Whether an edit is of values where addresses are at fault, or the other way about."""
        return None not in (self.addresses, edit.is_address) and edit.is_address != self.addresses

    def _has(self, word: str) -> bool:
        is_part = any(len(part) >= _A_PART and part in word for part in self.words)
        return is_part or not self.words.isdisjoint((word, *word.split("_")))


def _comes(edit: Mutant) -> Counter[str]:
    """The words that an edit brings."""
    comes: Counter[str] = Counter()
    for place in edit.places:
        comes += Counter(_words(place.new)) - Counter(_words(place.old))
    return comes


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.lower()))


# Where no finding asks for anything.
NOTHING = LikelyEdits()
