"""Carries an edit of a generated shader over to the same shader for other shapes.

Three texts: the shader as generated (`base`), as somebody edited it (`edited`), and as generated for other shapes
(`other`). Every token that the edit changed is changed in `other` too. Numbers of the edit that stand for a size become
that size's number there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

_TOKEN = re.compile(
    r"(?P<space>\s*)(?P<text>//[^\n]*|/\*.*?\*/|\d+\.?\d*(?:[eE][+-]?\d+)?[uUfF]?|\.\d+|[A-Za-z_]\w*|"
    r"<<=|>>=|[-+*/%&|^<>=!]=|\+\+|--|&&|\|\||<<|>>|.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"\d+(?P<fraction>\.0*)?")
# A number of an edit this near to the one that it replaced is that size with one more, or one less.
_NEAR = 4
_LEAST_SIZE = 4
# Below this share of tokens in common a shader is no edit of the generated one.
_LEAST_ALIKE = 0.6


@dataclass(frozen=True)
class _Token:
    space: str
    text: str

    @property
    def is_comment(self) -> bool:
        return self.text.startswith(("//", "/*"))

    @property
    def number(self) -> int | None:
        return int(float(self.text)) if _NUMBER.fullmatch(self.text) else None


def is_edit(base: str, edited: str) -> bool:
    """Whether `edited` looks like an edit of `base`."""
    return _matcher(_tokens(base), _tokens(edited)).ratio() >= _LEAST_ALIKE


def carried(base: str, edited: str, other: str) -> tuple[str, ...]:
    """Yields `other` with the edit from `base` to `edited`, best guess first; nothing where it has no place there.

    The guesses differ in the numbers of the edit: as sizes of `other`, or as they were written.
    """
    if base == edited:
        return (other,)
    found = []
    for with_sizes in (True, False):
        text = _Merge(_tokens(base), _tokens(edited), _tokens(other)).text(with_sizes=with_sizes)
        if text is not None and text not in found:
            found.append(text)
    return tuple(found)


class _Merge:
    def __init__(self, base: list[_Token], edited: list[_Token], other: list[_Token]) -> None:
        self._base, self._edited, self._other = base, edited, other
        # Where each token of `base` stands in `other`, without the tokens that others replace.
        self._places: dict[int, int] = {}
        for tag, start, end, first, last in _matcher(base, other).get_opcodes():
            if tag == "equal" or (tag == "replace" and end - start == last - first):
                self._places.update(zip(range(start, end), range(first, last), strict=True))

    def text(self, *, with_sizes: bool) -> str | None:
        """Returns the merged text; None where `other` lacks what the edit changed."""
        pieces: list[_Token] = []
        done = 0
        for tag, start, end, first, last in _matcher(self._base, self._edited).get_opcodes():
            if tag == "equal":
                self._respace(start, end, first)
                continue
            place = self._place(start, end)
            if place is None or place[0] < done:
                if all(token.is_comment for token in (*self._base[start:end], *self._edited[first:last])):
                    continue
                return None
            pieces += self._other[done : place[0]]
            pieces += list(self._inserted(start, end, first, last, with_sizes=with_sizes))
            done = place[1]
        pieces += self._other[done:]
        return "".join(token.space + token.text for token in pieces)[:-1]

    def _respace(self, start: int, end: int, first: int) -> None:
        """Takes over the edit's line breaks and indents in what it keeps."""
        for position, kept in zip(range(start, end), self._edited[first:], strict=False):
            place = self._places.get(position)
            if place is not None and kept.space != self._base[position].space:
                self._other[place] = replace(self._other[place], space=kept.space)

    def _place(self, start: int, end: int) -> tuple[int, int] | None:
        """Finds the tokens of `other` that stand for base[start:end], by those around them."""
        before, after = self._places.get(start - 1, -1 if start == 0 else None), self._places.get(end)
        if end == len(self._base):
            after = len(self._other)
        if before is not None and after is not None and after - before - 1 == end - start:
            return before + 1, after
        inside = [self._places.get(position) for position in range(start, end)]
        if inside and None not in inside and inside[-1] - inside[0] == end - start - 1:  # type: ignore[operator]
            return inside[0], inside[-1] + 1  # type: ignore[operator, return-value]
        return None

    def _inserted(self, start: int, end: int, first: int, last: int, *, with_sizes: bool) -> Iterator[_Token]:
        for position, token in enumerate(self._edited[first:last]):
            number = token.number
            replaced = start + position if end - start == last - first else None
            new = self._size(number, start, replaced) if with_sizes and number is not None else None
            fraction = token.text[len(str(number)) :] if number is not None else ""
            yield token if new is None else _Token(token.space, f"{new}{fraction}")

    def _size(self, number: int, near: int, replaced: int | None) -> int | None:
        """Returns a number of the edit in `other`: by the one that it replaced, or by the nearest of the same value."""
        if replaced is not None and (was := self._base[replaced].number) is not None and replaced in self._places:
            now = self._other[self._places[replaced]].number
            if now is not None and was != now and abs(number - was) <= _NEAR:
                return max(0, now + number - was)
        for more in (0, 1, -1):  # an edit that stops at the last element writes a size less one
            found = self._nearest(number + more, near)
            if found is not None:
                return max(0, found - more) if found != number + more else None
        return None

    def _nearest(self, number: int, near: int) -> int | None:
        """Returns the nearest such number of `base` in `other`; small ones are more often counts than sizes."""
        if number < _LEAST_SIZE:
            return None
        for distance in range(max(near, len(self._base) - near) + 1):
            for position in (near - distance, near + distance):
                if 0 <= position < len(self._base) and self._base[position].number == number:
                    place = self._places.get(position)
                    return self._other[place].number if place is not None else None
        return None


def _tokens(text: str) -> list[_Token]:
    return [_Token(match["space"], match["text"]) for match in _TOKEN.finditer(text + "\n")]


def _matcher(first: Sequence[_Token], second: Sequence[_Token]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [each.text for each in first], [each.text for each in second], autojunk=False)
