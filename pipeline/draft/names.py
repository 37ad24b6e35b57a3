"""Splits names of shaders and models into words, so that `u_outputSize` and `output_size` read alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# What authors put before a name to say that it is a uniform, a texture or a sampler.
_PREFIXES = frozenset({"u", "t", "s", "i", "tex", "sampler"})


def words(name: str) -> tuple[str, ...]:
    """Returns the words of a name in lower case, without a prefix that says only what kind of name it is."""
    found = tuple(word.lower() for word in _WORD.findall(name))
    return found[1:] if len(found) > 1 and found[0] in _PREFIXES else found


def plain(name: str) -> str:
    """Returns the name as a tensor's: its words, joined."""
    return "_".join(words(name)) or "tensor"


def closest(name: str, others: Iterable[str]) -> str | None:
    """Returns the one of other names that shares most words with this one; None if none shares any or two do alike."""
    own = set(words(name))
    shares = sorted(((len(own & set(words(other))), other) for other in others), reverse=True)
    if not shares or not shares[0][0]:
        return None
    return None if len(shares) > 1 and shares[0][0] == shares[1][0] else shares[0][1]


def has_any(name: str, wanted: Collection[str]) -> bool:
    """Reports whether one of the words of a name is wanted."""
    return not set(words(name)).isdisjoint(wanted)
