"""Parses an order of axes such as `o/4, i/4, ky, kx, o%4 i%4`, and finds where it puts each element.

The grammar is this, never `eval`:

    order = part { "," part }
    part  = term { term }
    term  = axis [ "/" number ] [ "%" number ]

Axes are `o i ky kx` of weights or `n c y x` of tensors, the axes of the 4-d view. A term is a whole number: the
element's index along its axis, divided (rounding down), and the remainder of that. Its size counts the numbers that
it takes: n of `% n`, otherwise as many as the axis needs. Together the terms are the digits of the element's place,
the slowest first. Where an axis is no multiple of a divisor, some places are padding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.errors import LayoutError, nearest
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.outside_text import whole_number
from texelscope.layouts.shapes import Dims

MOST_CHARACTERS = 200
MOST_TERMS = 16
_LARGEST = 1 << 24
# The names of n, c, h and w of the 4-d view: of weights, and of other tensors.
_KINDS = (("o", "i", "ky", "kx"), ("n", "c", "y", "x"))
_AXES = MappingProxyType({name: axis for names in _KINDS for axis, name in enumerate(names)})
_TERM = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:/\s*([0-9]+)\s*)?(?:%\s*([0-9]+)\s*)?", re.ASCII)
# Multiples that are tried for two elements in one place, where the nearest two are apart.
_MOST_TRIED = 1000
_XYZW = "xyzw"
# What each digit of an axis takes, by its position, and the run of elements that fills these.
Piece = tuple[list[tuple[int, slice | int]], slice]


@dataclass(frozen=True)
class Term:
    """One digit of a place: index div `divisor` mod `modulus` along `axis`; a modulus of 0 stands for none."""

    axis: int
    divisor: int = 1
    modulus: int = 0

    def size(self, dims: Dims) -> int:
        """Counts the numbers that the term takes."""
        return self.modulus or ceil_div(dims[self.axis], self.divisor)

    def value(self, index: Any) -> Any:
        """Returns the term's number for an index along its axis: an int, or an integer array."""
        return index // self.divisor % self.modulus if self.modulus else index // self.divisor

    def glsl(self, index: str) -> str:
        """Returns `value` as GLSL."""
        divided = f"{index} / {self.divisor}" if self.divisor > 1 else index
        return f"{divided} % {self.modulus}" if self.modulus else divided


@dataclass(frozen=True)
class AxisOrder:
    """The parsed order: its terms, the slowest first, and the names of its axes."""

    terms: tuple[Term, ...]
    names: tuple[str, ...]


@lru_cache(maxsize=64)
def parsed(text: str, who: str) -> AxisOrder:
    """Parses an order. Raises LayoutError for anything outside the grammar and for a division by zero."""
    if len(text) > MOST_CHARACTERS:
        got, advice = f"{len(text)} characters", "Shorten it."
        raise LayoutError(who, f"an order of at most {MOST_CHARACTERS} characters", got, advice)
    terms: list[Term] = []
    used: list[str] = []
    for part in text.split(","):
        position = 0
        while position < len(part) or not part:
            match = _TERM.match(part, position)
            if match is None:
                got = f"'{part[position:].strip()}'" if part.strip() else "nothing"
                raise LayoutError(who, "an axis in 'order', such as o, o/4, o%4 or o/4%2", got, "Correct the order.")
            position = match.end()
            used.append(match[1])
            terms.append(_term(match, who))
    if len(terms) > MOST_TERMS:
        raise LayoutError(who, f"at most {MOST_TERMS} terms in 'order'", str(len(terms)), "Shorten it.")
    return AxisOrder(tuple(terms), _names(used, who))


def _term(match: re.Match[str], who: str) -> Term:
    name, divisor, modulus = match.groups()
    if name not in _AXES:
        raise LayoutError(who, "an axis in 'order'", f"'{name}'", nearest(name, _AXES))
    for number in (divisor, modulus):
        if number is not None and not 1 <= (whole_number(number) or 0) <= _LARGEST:
            got = "a division by 0" if int(number) == 0 else number
            expected = f"numbers from 1 to {_LARGEST} in 'order'"
            raise LayoutError(who, expected, f"{got} in '{match[0].strip()}'", "Correct it.")
    return Term(_AXES[name], int(divisor or 1), int(modulus or 0))


def _names(used: Sequence[str], who: str) -> tuple[str, ...]:
    for names in _KINDS:
        if set(used) <= set(names):
            return names
    expected = " or ".join(" ".join(names) for names in _KINDS)
    raise LayoutError(who, f"axes of one kind in 'order', {expected}", " ".join(dict.fromkeys(used)), "Rename some.")


@dataclass(frozen=True)
class Places:
    """Holds an order for one shape: the size and the stride of each term.

    `digits` has, for each axis, the positions of terms from which its index follows, the finest first.
    """

    dims: Dims
    terms: tuple[Term, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    digits: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Counts the places, padding among them."""
        return math.prod(self.sizes)

    @property
    def others(self) -> tuple[int, ...]:
        """Positions of terms that are no digits, such as `i%4` beside `i`: all but one value of them is padding."""
        used = {position for each in self.digits for position in each}
        return tuple(each for each, size in enumerate(self.sizes) if each not in used and size > 1)

    @property
    def has_views(self) -> bool:
        """Whether `views` finds all elements: terms that are no digits are 0 for each of them."""
        return all(self.terms[each].divisor >= self.dims[self.terms[each].axis] for each in self.others)

    def place(self, at: Sequence[Any]) -> Any:
        """Returns the place of the element at n, c, h, w: ints, or integer arrays that broadcast."""
        parts = zip(self.terms, self.strides, strict=True)
        return sum((term.value(at[term.axis]) * stride for term, stride in parts), 0)

    def element(self, place: Any) -> tuple[Any, Any, Any, Any]:
        """Returns n, c, h, w of the element in a place; n = -1 in padding."""
        values = [place // stride % size for stride, size in zip(self.strides, self.sizes, strict=True)]
        n, c, h, w = (sum((values[p] * self.terms[p].divisor for p in each), 0 * place) for each in self.digits)
        inside = place < self.count
        for index, length in zip((n, c, h, w), self.dims, strict=True):
            inside = inside & (index < length)
        for each in self.others:
            term = self.terms[each]
            inside = inside & (term.value((n, c, h, w)[term.axis]) == values[each])
        return np.where(inside, n, -1), c, h, w

    def glsl_place(self, at: Sequence[str]) -> str:
        """Returns `place` as a GLSL expression."""
        written = "0"
        for term, size in zip(self.terms, self.sizes, strict=True):
            own = term.glsl(at[term.axis])
            written = own if written == "0" else f"({written}) * {size} + {own}"
        return written

    def glsl_element(self, place: str) -> tuple[list[str], str]:
        """Returns `element` as GLSL: expressions for n, c, h, w, and a condition for padding that has `at` for them."""
        values = [
            f"{place} / {stride} % {size}" if stride > 1 else f"{place} % {size}"
            for stride, size in zip(self.strides, self.sizes, strict=True)
        ]
        indices = [
            " + ".join(f"{values[p]} * {self.terms[p].divisor}" for p in each) if each else "0" for each in self.digits
        ]
        padding = [f"{place} >= {self.count}"]
        padding += [f"at.{_XYZW[axis]} >= {length}" for axis, length in enumerate(self.dims) if length > 1]
        for each in self.others:
            term = self.terms[each]
            padding.append(f"{term.glsl(f'at.{_XYZW[term.axis]}')} != {values[each]}")
        return indices, " || ".join(padding)

    def views(self, places: NDArray[Any], elements: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yields pairs of equal views of `places` [count] and `elements` [n, c, h, w], that cover each element once.

        The places `has_views`.
        """
        digits = places.reshape(self.sizes)
        for pieces in product(*(self._pieces(axis) for axis in range(4))):
            index: list[slice | int] = [0] * len(self.terms)
            split: list[int] = []
            order: list[int] = []
            for chosen, _ in pieces:
                for position, where in chosen:
                    index[position] = where
                    if isinstance(where, slice):
                        split.append(where.stop)
                        order.append(position)
            source = elements[tuple(span for _, span in pieces)].reshape(split)
            yield digits[(*index, ...)], source.transpose(np.argsort(order))

    def _pieces(self, axis: int) -> Iterator[Piece]:
        """Cuts an axis into runs of elements that fill its finer digits."""
        chain = self.digits[axis][::-1]
        start, left, fixed = 0, self.dims[axis], list[tuple[int, slice | int]]()
        if not chain:
            yield [], slice(0, 1)
            return
        for number, position in enumerate(chain):
            divisor = self.terms[position].divisor
            whole, rest = divmod(left, divisor)
            if whole:
                finer = [(each, slice(0, self.sizes[each])) for each in chain[number + 1 :]]
                yield [*fixed, (position, slice(0, whole)), *finer], slice(start, start + whole * divisor)
            start, left = start + whole * divisor, rest
            if not left:
                return
            fixed.append((position, whole))


@lru_cache(maxsize=512)
def places_of(text: str, dims: Dims, who: str) -> Places:
    """Returns where an order puts the elements of a shape.

    Raises LayoutError, which names two elements, for an order that puts several into one place.
    """
    order = parsed(text, who)
    sizes = tuple(term.size(dims) for term in order.terms)
    strides = tuple(math.prod(sizes[position + 1 :]) for position in range(len(sizes)))
    digits = tuple(_digits(order, axis, length, text, who) for axis, length in enumerate(dims))
    return Places(dims, order.terms, sizes, strides, digits)


def _digits(order: AxisOrder, axis: int, length: int, text: str, who: str) -> tuple[int, ...]:
    """Returns the positions of the terms that tell an index along the axis, the finest first."""
    own = [position for position, term in enumerate(order.terms) if term.axis == axis]
    found: list[int] = []
    known = 1  # the index is known modulo this
    while known < length:
        finer = [position for position in own if order.terms[position].divisor == known and position not in found]
        finer = [position for position in finer if order.terms[position].modulus != 1]
        if not finer:
            raise _refusal(order, axis, length, known, text, who)
        best = max(finer, key=lambda position: order.terms[position].modulus or math.inf)
        found.append(best)
        known = known * order.terms[best].modulus or length
    return tuple(found)


def _refusal(order: AxisOrder, axis: int, length: int, known: int, text: str, who: str) -> LayoutError:
    """Returns the error for an axis whose index does not follow from its terms."""
    name, own = order.names[axis], [term for term in order.terms if term.axis == axis]
    multiples = range(known, min(length, known * _MOST_TRIED), known)
    twice = next((index for index in multiples if not any(term.value(index) for term in own)), None)
    if twice is None:
        expected = f"terms of '{name}' that are its digits, such as {name}/4 and {name}%4"
        return LayoutError(who, expected, f"'{text}'", f"Each divisor is the one before times its remainder: {known}.")
    first, second = (" ".join(f"{each} {index if each == name else 0}" for each in order.names) for index in (0, twice))
    coarser = min((term.divisor for term in own if term.divisor > known and term.divisor % known == 0), default=0)
    missing = f"{name}/{known}" if known > 1 else name
    advice = f"Add {missing}%{coarser // known} to the order." if coarser else f"Add {missing} to the order."
    got = f"elements {first} and {second} in one place by '{text}'"
    return LayoutError(who, "a separate place for each element", got, advice)
