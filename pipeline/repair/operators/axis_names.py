"""Names of one axis, or one side, and their counterparts for the other: x and y, width and height, input and output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

# Words for the first axis, with those for the second; and words for one side, with the other.
_AXES = (
    ("x", "y"), ("w", "h"), ("width", "height"), ("col", "row"), ("cols", "rows"), ("column", "row"),
    ("columns", "rows"), ("left", "top"), ("right", "bottom"), ("u", "v"), ("j", "i"), ("c", "r"),
    ("horizontal", "vertical"), ("across", "down"),
)  # fmt: skip
_SIDES = (
    ("in", "out"), ("input", "output"), ("inputs", "outputs"), ("src", "dst"), ("source", "target"), ("query", "key"),
    ("queries", "keys"), ("q", "k"), ("lo", "hi"), ("low", "high"), ("lower", "upper"), ("even", "odd"),
    ("first", "second"), ("left", "right"), ("top", "bottom"), ("begin", "end"), ("start", "end"), ("from", "to"),
)  # fmt: skip
# Letters at the end or beginning of a name: `sx`, `outw`, `xo`.
_LETTERS = (("x", "y"), ("w", "h"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def canonical(text: str) -> str:
    """Returns a name with its words for the second axis replaced by those for the first: equal for both."""
    return _WORD.sub(lambda found: _first(found[0]), text)


@dataclass(frozen=True)
class Counterpart:
    """A name has a counterpart; whether the name itself is of the first axis or side, and whether it is an axis."""

    name: str
    is_first: bool
    is_axis: bool


def counterparts(name: str) -> Iterator[Counterpart]:
    """Yields names that are equal except for a word of the other axis or side."""
    for found in _WORD.finditer(name):
        for other in _other_words(found[0]):
            yield replace(other, name=name[: found.start()] + other.name + name[found.end() :])


def _other_words(word: str) -> Iterator[Counterpart]:
    plain, is_known = word.lower(), False
    for pairs, is_axis in ((_AXES, True), (_SIDES, False)):
        for first, second in pairs:
            if plain in (first, second):
                is_known = True
                yield Counterpart(_as_written(second if plain == first else first, word), plain == first, is_axis)
    for first, second in _LETTERS if len(word) > 1 and not is_known else ():
        for own, other in ((first, second), (second, first)):
            if plain == own * len(plain):
                yield Counterpart(_as_written(other * len(plain), word), own == first, is_axis=True)
            elif plain.endswith(own):
                yield Counterpart(word[:-1] + _as_written(other, word[-1]), own == first, is_axis=True)
            elif plain.startswith(own):
                yield Counterpart(_as_written(other, word[0]) + word[1:], own == first, is_axis=True)


def _first(word: str) -> str:
    """Replaces a word of the second axis by that of the first; others stay."""
    return next((each.name for each in _other_words(word) if each.is_axis and not each.is_first), word)


def _as_written(word: str, like: str) -> str:
    """Returns a word in capitals if the other one is, or begins with one."""
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
