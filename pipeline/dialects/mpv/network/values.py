"""Defines the values of a shader's expressions: a number, a place in the picture, or a linear form over texels.

A network's shader computes each lane of its result as a sum of weights times texels, and of functions of such
sums. So a scalar is that sum (`LinearForm`) over `TextureTap`s and over functions applied to other forms (`Apply`).
Coordinates are exact (`Position`), polynomials over the pixel's indices and the picture's size, so that the texel of
a coordinate is known, not measured. Whole numbers stay whole (`integer`), as the types of GLSL make them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

Monomial = tuple[tuple[str, int], ...]  # (symbol, exponent), sorted; exponents may be negative
ONE_TERM: Monomial = ()
# In a symbol, between its name and the number below which it is: lx<8 is 0 to 7.
BELOW = "<"
# A constant that cancels out may be so many times as large as what is left: a driver rounds the sum before.
_MOST_CANCELLED = 16
# Whole numbers of GLSL have 32 bits, and what goes beyond begins again.
_LARGEST_INT = 1 << 31


class NotUnderstoodError(Exception):
    """Raised for code that is no supported part of a network: `what`, and the 1-based `line` (0: none)."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what, line)
        self.what, self.line = what, line


@dataclass(frozen=True, slots=True)
class LiteralNumber:
    """A constant; `line` is that of its literal, 0 for a computed one."""

    value: float
    line: int = 0
    integer: bool = False

    @property
    def exact(self) -> Fraction:
        """Returns the decimal number as written, not the nearest double."""
        if not math.isfinite(self.value):
            raise NotUnderstoodError(f"a place computed with {self.value}")
        return Fraction(repr(self.value))


@dataclass(frozen=True)
class Position:
    """A polynomial over unknown whole numbers: pixel indices `x`, `y`, and sizes `W`, `H`."""

    terms: Mapping[Monomial, Fraction]
    integer: bool = False


@dataclass(frozen=True, slots=True)
class TextureTap:
    """Reads texel (`step`·q + `offset`) of a texture, for the pixels' index q; (x, y) each. Beyond the edge: `border`.

    The border is `edge` (the last texel repeats), `zero`, or `group` (the last `step` texels repeat).
    """

    texture: str
    lane: int
    offset: tuple[int, int]
    step: tuple[int, int] = (1, 1)
    border: str = "edge"


@dataclass(frozen=True, slots=True)
class SampledTexel:
    """Reads a texture of another size, interpolated linearly at the pixel's exact place."""

    texture: str
    lane: int


@dataclass(frozen=True, slots=True)
class Unset:
    """Stands for what a variable holds before anything is assigned to it; `line` is that of its declaration."""

    name: str
    line: int


@dataclass(frozen=True)
class Apply:
    """Applies a function of forms per element; equal where function and forms are equal."""

    function: str
    arguments: tuple[LinearForm, ...]

    @cached_property
    def size(self) -> int:
        """Counts the texels in it, including those of inner functions."""
        return sum(form.size for form in self.arguments)

    @cached_property
    def unset(self) -> Unset | None:
        """Finds a variable in it that nothing was assigned to."""
        return next((form.unset for form in self.arguments if form.unset is not None), None)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return (self.function, *(form.key for form in self.arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Apply) and self._key == other._key

    @cached_property  # functions of functions would be counted again and again
    def _hash(self) -> int:
        return hash(self._key)

    def __hash__(self) -> int:
        return self._hash


Atom: TypeAlias = TextureTap | SampledTexel | Apply | Unset


@dataclass(frozen=True, eq=False)
class LinearForm:
    """Holds a constant and weights of atoms."""

    constant: LiteralNumber
    terms: Mapping[Atom, LiteralNumber]

    @cached_property
    def size(self) -> int:
        """Counts the texels in it, including those of inner functions."""
        return 1 + sum(atom.size if isinstance(atom, Apply) else 1 for atom in self.terms)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Returns what two equal forms share: their numbers, wherever they were written."""
        weights = frozenset((atom, weight.value) for atom, weight in self.terms.items() if weight.value)
        return (self.constant.value, weights)

    @cached_property
    def unset(self) -> Unset | None:
        """Finds a variable in it that nothing was assigned to."""
        found = (
            atom if isinstance(atom, Unset) else atom.unset for atom in self.terms if isinstance(atom, Unset | Apply)
        )
        return next((each for each in found if each is not None), None)

    def reads(self, texture: str) -> bool:
        """Reports whether a texel of the texture is in it."""
        return any(
            any(form.reads(texture) for form in atom.arguments)
            if isinstance(atom, Apply)
            else isinstance(atom, TextureTap | SampledTexel) and atom.texture == texture
            for atom in self.terms
        )


Scalar: TypeAlias = LiteralNumber | Position | LinearForm
ZERO = LiteralNumber(0.0)
# The most texels of a value: no network's pass reads as many, and a text can square its value repeatedly.
MOST_TEXELS = 1 << 16
NOTHING: Mapping[Atom, LiteralNumber] = MappingProxyType({})


def form_of(atom: Atom) -> LinearForm:
    """Returns the atom alone as a form. Raises NotUnderstoodError for functions nested deeper than a network's."""
    if isinstance(atom, Apply) and atom.size > MOST_TEXELS:
        raise NotUnderstoodError(f"a value made of more than {MOST_TEXELS} texels")
    return LinearForm(ZERO, {atom: LiteralNumber(1.0)})


def as_form(value: Scalar) -> LinearForm:
    """Returns a number or a form as a form. Raises NotUnderstoodError for a place."""
    if isinstance(value, LinearForm):
        return value
    if isinstance(value, LiteralNumber):
        return LinearForm(value, NOTHING)
    raise NotUnderstoodError("a value that depends on where in the picture the pixel lies")


def symbol(name: str, exponent: int = 1, factor: Fraction | int = 1, *, integer: bool = False) -> Position:
    """Returns `factor` times a symbol to a power."""
    return Position({((name, exponent),): Fraction(factor)}, integer)


def bounded_name(name: str, below: int) -> str:
    """Returns the name of a symbol that is a whole number from 0 to `below` - 1."""
    return f"{name}{BELOW}{below}"


def position(terms: Mapping[Monomial, Fraction], *, integer: bool = False) -> LiteralNumber | Position:
    """Returns the polynomial; a number if it has no unknowns."""
    kept = {monomial: factor for monomial, factor in terms.items() if factor}
    if not kept:
        return LiteralNumber(0.0, integer=integer)
    if set(kept) == {ONE_TERM}:
        return LiteralNumber(float(kept[ONE_TERM]), integer=integer)
    return Position(kept, integer)


def split(value: LiteralNumber | Position) -> tuple[Mapping[Monomial, Fraction], Fraction]:
    """Splits off the terms with symbols from the constant."""
    if isinstance(value, LiteralNumber):
        return {}, value.exact
    return {key: factor for key, factor in value.terms.items() if key}, value.terms.get(ONE_TERM, Fraction())


def add(left: Scalar, right: Scalar, sign: int = 1) -> Scalar:
    """Returns left + sign·right."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        value = left.value + sign * right.value
        written = [each.line for each in (left, right) if each.value] + [left.line, right.line]
        return fitting(LiteralNumber(value, next(filter(None, written), 0), left.integer and right.integer))
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        return _add_forms(as_form(left), as_form(right), sign)
    symbols, constant = split(left)
    others, other_constant = split(right)
    terms = dict(symbols)
    for monomial, factor in others.items():
        terms[monomial] = terms.get(monomial, Fraction()) + sign * factor
    terms[ONE_TERM] = constant + sign * other_constant
    return position(terms, integer=left.integer and right.integer)


def fitting(value: LiteralNumber) -> LiteralNumber:
    """Returns the number. Raises NotUnderstoodError for a whole one of more than 32 bits."""
    if value.integer and abs(value.value) >= _LARGEST_INT:
        raise NotUnderstoodError(f"the whole number {value.value:.0f}, which has more than 32 bits")
    return value


def _add_forms(left: LinearForm, right: LinearForm, sign: int) -> LinearForm:
    terms = dict(left.terms)
    for atom, weight in right.terms.items():
        before = terms.get(atom)
        value = sign * weight.value + (before.value if before else 0.0)
        terms[atom] = LiteralNumber(value, (before.line if before else 0) or weight.line)
    constant = add(left.constant, right.constant, sign)
    assert isinstance(constant, LiteralNumber)
    highest = max(abs(left.constant.value), abs(right.constant.value))
    if highest > _MOST_CANCELLED * abs(constant.value):
        kept = abs(constant.value) + sum(abs(weight.value) for weight in terms.values())
        if highest > _MOST_CANCELLED * kept:
            raise NotUnderstoodError(f"a sum in which {highest:g} cancels out, and with it digits of the texels")
    return LinearForm(constant, terms)


def multiply(left: Scalar, right: Scalar) -> Scalar:
    """Returns left · right; of two forms a function of both."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        line, integer = left.line or right.line, left.integer and right.integer
        return fitting(LiteralNumber(left.value * right.value, line, integer))
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        if isinstance(left, LiteralNumber) or isinstance(right, LiteralNumber):
            number, form = (left, right) if isinstance(left, LiteralNumber) else (right, left)
            assert isinstance(number, LiteralNumber)
            return scaled(as_form(form), number)
        return form_of(Apply("Mul", (as_form(left), as_form(right))))
    terms: dict[Monomial, Fraction] = {}
    for monomial, factor in all_terms(left).items():
        for other, other_factor in all_terms(right).items():
            product = _product(monomial, other)
            terms[product] = terms.get(product, Fraction()) + factor * other_factor
    return position(terms, integer=left.integer and right.integer)


def scaled(form: LinearForm, number: LiteralNumber) -> LinearForm:
    """Returns number · form."""
    factor, line = number.value, number.line
    terms = {atom: LiteralNumber(factor * weight.value, line or weight.line) for atom, weight in form.terms.items()}
    constant = LiteralNumber(factor * form.constant.value, form.constant.line or (line if form.constant.value else 0))
    return LinearForm(constant, terms)


def all_terms(value: LiteralNumber | Position) -> Mapping[Monomial, Fraction]:
    """Returns the terms of a number or a place."""
    return {ONE_TERM: value.exact} if isinstance(value, LiteralNumber) else value.terms


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, exponent in right:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in powers.items() if exponent))
