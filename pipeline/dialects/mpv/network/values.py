"""Defines the values of a shader's expressions: a number, a place in the picture, or a linear form over texels.

A network's shader computes each lane of its result as a sum of weights times texels, and of functions of such
sums. So a scalar is that sum (`LinearForm`) over `TextureTap`s and over functions applied to other forms (`Apply`).
Coordinates are exact (`Position`), polynomials over the pixel's indices and the picture's size, so that the texel of
a coordinate is known, not measured.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

Monomial = tuple[tuple[str, int], ...]  # (symbol, exponent), sorted; exponents may be negative
_ONE: Monomial = ()


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
    def _key(self) -> tuple[object, ...]:
        return (self.function, *(form.key for form in self.arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Apply) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


Atom: TypeAlias = TextureTap | SampledTexel | Apply


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

    def reads(self, texture: str) -> bool:
        """Reports whether a texel of the texture is in it."""
        return any(
            any(form.reads(texture) for form in atom.arguments) if isinstance(atom, Apply) else atom.texture == texture
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


def symbol(name: str, exponent: int = 1, factor: Fraction | int = 1) -> Position:
    """Returns `factor` times a symbol to a power."""
    return Position({((name, exponent),): Fraction(factor)})


def position(terms: Mapping[Monomial, Fraction], *, integer: bool = False) -> LiteralNumber | Position:
    """Returns the polynomial; a number if it has no unknowns."""
    kept = {monomial: factor for monomial, factor in terms.items() if factor}
    if not kept:
        return LiteralNumber(0.0, integer=integer)
    if set(kept) == {_ONE}:
        return LiteralNumber(float(kept[_ONE]), integer=integer)
    return Position(kept, integer)


def split(value: LiteralNumber | Position) -> tuple[Mapping[Monomial, Fraction], Fraction]:
    """Splits off the terms with symbols from the constant."""
    if isinstance(value, LiteralNumber):
        return {}, value.exact
    return {key: factor for key, factor in value.terms.items() if key}, value.terms.get(_ONE, Fraction())


def add(left: Scalar, right: Scalar, sign: int = 1) -> Scalar:
    """Returns left + sign·right."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        value = left.value + sign * right.value
        written = [each.line for each in (left, right) if each.value] + [left.line, right.line]
        return LiteralNumber(value, next(filter(None, written), 0), left.integer and right.integer)
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        return _add_forms(as_form(left), as_form(right), sign)
    symbols, constant = split(left)
    others, other_constant = split(right)
    terms = dict(symbols)
    for monomial, factor in others.items():
        terms[monomial] = terms.get(monomial, Fraction()) + sign * factor
    terms[_ONE] = constant + sign * other_constant
    return position(terms, integer=left.integer and right.integer)


def _add_forms(left: LinearForm, right: LinearForm, sign: int) -> LinearForm:
    terms = dict(left.terms)
    for atom, weight in right.terms.items():
        before = terms.get(atom)
        value = sign * weight.value + (before.value if before else 0.0)
        terms[atom] = LiteralNumber(value, (before.line if before else 0) or weight.line)
    constant = add(left.constant, right.constant, sign)
    assert isinstance(constant, LiteralNumber)
    return LinearForm(constant, terms)


def multiply(left: Scalar, right: Scalar) -> Scalar:
    """Returns left · right; of two forms a function of both."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        return LiteralNumber(left.value * right.value, left.line or right.line, left.integer and right.integer)
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        if isinstance(left, LiteralNumber) or isinstance(right, LiteralNumber):
            number, form = (left, right) if isinstance(left, LiteralNumber) else (right, left)
            assert isinstance(number, LiteralNumber)
            return _scaled(as_form(form), number)
        return form_of(Apply("Mul", (as_form(left), as_form(right))))
    terms: dict[Monomial, Fraction] = {}
    for monomial, factor in _all_terms(left).items():
        for other, other_factor in _all_terms(right).items():
            product = _product(monomial, other)
            terms[product] = terms.get(product, Fraction()) + factor * other_factor
    return position(terms, integer=left.integer and right.integer)


def _scaled(form: LinearForm, number: LiteralNumber) -> LinearForm:
    factor, line = number.value, number.line
    terms = {atom: LiteralNumber(factor * weight.value, line or weight.line) for atom, weight in form.terms.items()}
    constant = LiteralNumber(factor * form.constant.value, form.constant.line or (line if form.constant.value else 0))
    return LinearForm(constant, terms)


def divide(left: Scalar, right: Scalar) -> Scalar:
    """Returns left / right, whole where both are whole. Raises NotUnderstoodError for 0 and for sums of symbols."""
    if isinstance(right, LiteralNumber):
        if not right.value:
            raise NotUnderstoodError("a division by zero")
        if isinstance(left, LiteralNumber) and left.integer and right.integer:
            return LiteralNumber(float(math.trunc(left.exact / right.exact)), left.line, integer=True)
        if isinstance(left, Position) and left.integer and right.integer:
            raise NotUnderstoodError("a whole division of pixel indices")
        if isinstance(left, LiteralNumber):
            return LiteralNumber(left.value / right.value, left.line or right.line)
        if isinstance(left, Position):
            return position({key: factor / right.exact for key, factor in left.terms.items()})
        return _scaled(left, LiteralNumber(1.0 / right.value, right.line))
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        return form_of(Apply("Div", (as_form(left), as_form(right))))
    if len(right.terms) != 1:
        raise NotUnderstoodError("a division by a sum of sizes and indices")
    ((monomial, factor),) = right.terms.items()
    inverse = Position({tuple((name, -exponent) for name, exponent in monomial): 1 / factor})
    return multiply(left, inverse)


def _all_terms(value: LiteralNumber | Position) -> Mapping[Monomial, Fraction]:
    return {_ONE: value.exact} if isinstance(value, LiteralNumber) else value.terms


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, exponent in right:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in powers.items() if exponent))


def moved(value: Scalar, steps: Mapping[str, int]) -> Scalar:
    """Returns a place with whole numbers added to its symbols; other values unchanged. Raises NotUnderstoodError."""
    if not isinstance(value, Position):
        return value
    total: Scalar = LiteralNumber(0.0, integer=True)
    for monomial, factor in value.terms.items():
        product: Scalar = Position({_ONE: factor}, value.integer)
        for name, exponent in monomial:
            if exponent != 1 and name in steps:
                raise NotUnderstoodError("a place that is not linear in the invocation's index")
            plain = Position({((name, exponent),): Fraction(1)}, integer=True)
            product = multiply(product, add(plain, LiteralNumber(float(steps.get(name, 0)), integer=True)))
        total = add(total, product)
    return total


def floor(value: LiteralNumber | Position) -> LiteralNumber | Position:
    """Returns the largest whole number not above it. Raises NotUnderstoodError if that depends on a symbol."""
    symbols, constant = split(value)
    for monomial, factor in symbols.items():
        if factor.denominator != 1 or any(exponent < 0 for _, exponent in monomial):
            raise NotUnderstoodError("a rounding that depends on where in the picture the pixel lies")
    return position({**symbols, _ONE: Fraction(math.floor(constant))})


def truncated(value: Scalar) -> LiteralNumber | Position:
    """Returns GLSL's int() of the value. Raises NotUnderstoodError for a form and for a possibly negative value."""
    if isinstance(value, LinearForm):
        raise NotUnderstoodError("a texel's value as a whole number")
    if isinstance(value, LiteralNumber):
        return LiteralNumber(float(math.trunc(value.exact)), value.line, integer=True)
    if value.integer:
        return value
    whole = floor(value)
    assert isinstance(whole, Position)
    return Position(whole.terms, integer=True)


_LITERAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LITERALS = re.compile(rf"\((?:\s*{_LITERAL.pattern}\s*,)*\s*{_LITERAL.pattern}\s*\)")


def number(text: str, line: int) -> LiteralNumber:
    """Parses a literal on that line. Raises NotUnderstoodError for a number beyond GLSL's range."""
    plain = text.rstrip("uUfFhHlL") if text[:2].lower() != "0x" else text.rstrip("uU")
    try:
        if re.fullmatch(r"0[xX][0-9a-fA-F]+|[+-]?\d+", plain):
            return LiteralNumber(float(int(plain, 0 if "x" in plain.lower() else 10)), line, integer=True)
        return LiteralNumber(float(plain), line)
    except (ValueError, OverflowError) as error:
        raise NotUnderstoodError(f"the number {text}") from error


def is_list(text: str) -> bool:
    """Reports whether the text, parentheses around it, is a list of literals and nothing else."""
    return _LITERALS.fullmatch(text) is not None


def numbers(text: str, line: int) -> list[LiteralNumber]:
    """Parses a list of literals that begins on that line."""
    if "\n" not in text:
        return [number(each.strip(), line) for each in text[1:-1].split(",")]
    found = []
    for match in _LITERAL.finditer(text):
        found.append(number(match.group(), line + text.count("\n", 0, match.start())))
    return found
