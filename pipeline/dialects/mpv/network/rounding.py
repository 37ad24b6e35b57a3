"""Divides, rounds and compares values where that is the same for every pixel; what is not known is never guessed.

Whole numbers divide as in GLSL. Of a place in the picture it may be known between which numbers it lies: an index is
never negative, and one of an invocation in its group is below the group's size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from texelscope.pipeline.dialects.mpv.network.values import (
    BELOW,
    ONE_TERM,
    Apply,
    LinearForm,
    LiteralNumber,
    Monomial,
    NotUnderstoodError,
    Position,
    Scalar,
    add,
    all_terms,
    as_form,
    fitting,
    form_of,
    multiply,
    position,
    scaled,
    split,
)

# The symbols that are never negative.
_FROM_ZERO = ("x", "y")
# A computed number this near to another, relative to its size, may lie on its other side in a driver's 32 bits.
_NEAR = 1e-5
# Multiples of 1 / 1024 are exact in 32 bits up to here, and whole numbers a thousandfold further.
_EXACT_UP_TO = 1 << 14


def divide(left: Scalar, right: Scalar) -> Scalar:
    """Returns left / right, whole where both are whole. Raises NotUnderstoodError for 0 and for sums of symbols."""
    if isinstance(right, LiteralNumber):
        if not right.value:
            raise NotUnderstoodError("a division by zero")
        if isinstance(left, LiteralNumber) and left.integer and right.integer:
            return LiteralNumber(float(math.trunc(left.exact / right.exact)), left.line, integer=True)
        if isinstance(left, Position) and left.integer and right.integer:
            return divided(left, right)[0]
        if isinstance(left, LiteralNumber):
            return LiteralNumber(left.value / right.value, left.line or right.line)
        if isinstance(left, Position):
            return position({key: factor / right.exact for key, factor in left.terms.items()})
        return scaled(left, LiteralNumber(1.0 / right.value, right.line))
    if isinstance(right, LinearForm) and isinstance(left, LiteralNumber):
        return multiply(left, form_of(Apply("Reciprocal", (right,))))
    if isinstance(left, LinearForm) or isinstance(right, LinearForm):
        return form_of(Apply("Div", (as_form(left), as_form(right))))
    if left.integer and right.integer:
        raise NotUnderstoodError("a whole division by pixel indices")
    if len(right.terms) != 1:
        raise NotUnderstoodError("a division by a sum of sizes and indices")
    ((monomial, factor),) = right.terms.items()
    inverse = Position({tuple((name, -exponent) for name, exponent in monomial): 1 / factor})
    return multiply(left, inverse)


def remainder(left: Scalar, right: Scalar) -> Scalar:
    """Returns left % right of whole numbers. Raises NotUnderstoodError for those that are not known to be positive."""
    if not isinstance(right, LiteralNumber) or not right.integer or isinstance(left, LinearForm) or not left.integer:
        raise NotUnderstoodError("% of or by a value that is no whole number")
    if isinstance(left, Position):
        return divided(left, right)[1]
    if left.value < 0 or right.value <= 0:
        raise NotUnderstoodError(f"{left.value:g} % {right.value:g}, which GLSL leaves open")
    return LiteralNumber(float(int(left.value) % int(right.value)), left.line, integer=True)


def divided(left: Position, right: LiteralNumber) -> tuple[LiteralNumber | Position, LiteralNumber | Position]:
    """Returns quotient and remainder of a whole division, if these are the same polynomials for every pixel.

    What the divisor divides goes into the quotient; the rest has to lie between two multiples of the divisor. Raises
    NotUnderstoodError else, and for what may be negative.
    """
    by = right.exact
    least = limits_of(left.terms)[0]
    if by <= 0 or least is None or least < 0:
        raise NotUnderstoodError("a whole division of pixel indices that may be negative")
    parts = {key: factor for key, factor in left.terms.items() if key and (factor / by).denominator == 1}
    rest = {key: factor for key, factor in left.terms.items() if key not in parts}
    low, high = limits_of(rest)
    if low is None or high is None or low // by != high // by:
        raise NotUnderstoodError("a whole division of pixel indices, which differs from pixel to pixel")
    whole = Fraction(low // by)
    quotient = {**{key: factor / by for key, factor in parts.items()}, ONE_TERM: whole}
    rest[ONE_TERM] = rest.get(ONE_TERM, Fraction()) - whole * by
    return position(quotient, integer=True), position(rest, integer=True)


def limits_of(terms: Mapping[Monomial, Fraction]) -> tuple[Fraction | None, Fraction | None]:
    """Returns the least and the greatest value of a polynomial; None where that is not known."""
    low: Fraction | None = Fraction()
    high: Fraction | None = Fraction()
    for monomial, factor in terms.items():
        if not monomial:
            least: Fraction | None = factor
            most: Fraction | None = factor
        else:
            ((name, exponent), *others) = monomial
            below = name.partition(BELOW)[2]
            if others or exponent != 1 or not (below or name in _FROM_ZERO):
                return None, None
            end = factor * (int(below) - 1) if below else None
            least, most = (Fraction(), end) if factor > 0 else (end, Fraction())
        low = low + least if low is not None and least is not None else None
        high = high + most if high is not None and most is not None else None
    return low, high


def sign_of(value: Scalar) -> int | None:
    """Returns 1, 0 or -1 of a place that has that sign for every pixel; None if it has not, or is not known to."""
    if isinstance(value, LinearForm):
        return None
    low, high = limits_of(all_terms(value))
    if low is not None and low > 0:
        return 1
    if high is not None and high < 0:
        return -1
    return 0 if low == high == 0 else None


def moved(value: Scalar, steps: Mapping[str, int]) -> Scalar:
    """Returns a place with whole numbers added to its symbols; other values unchanged. Raises NotUnderstoodError."""
    if not isinstance(value, Position):
        return value
    total: Scalar = LiteralNumber(0.0, integer=True)
    for monomial, factor in value.terms.items():
        product: Scalar = Position({ONE_TERM: factor}, value.integer)
        for name, exponent in monomial:
            if exponent != 1 and name in steps:
                raise NotUnderstoodError("a place that is not linear in the invocation's index")
            plain = Position({((name, exponent),): Fraction(1)}, integer=True)
            product = multiply(product, add(plain, LiteralNumber(float(steps.get(name, 0)), integer=True)))
        total = add(total, product)
    return total


def is_near(value: LiteralNumber, other: float) -> bool:
    """Reports whether a number may lie below or above the other one: both are near, and it is no exact number."""
    number = value.value
    if not math.isfinite(number) or not math.isfinite(other):
        raise NotUnderstoodError(f"a decision about {number}")
    size = max(abs(number), abs(other), 1.0)
    is_exact = (number * 1024).is_integer() and (
        abs(number) < _EXACT_UP_TO or (number.is_integer() and abs(number) < _EXACT_UP_TO * 1024)
    )
    return not is_exact and abs(number - other) < _NEAR * size


def floor(value: LiteralNumber | Position) -> LiteralNumber | Position:
    """Returns the largest whole number not above it. Raises NotUnderstoodError if that depends on a symbol."""
    if isinstance(value, LiteralNumber) and is_near(value, float(round(value.value))):
        raise NotUnderstoodError(f"a rounding of {value.value!r}, which may be below or above a whole number")
    symbols, constant = split(value)
    for monomial, factor in symbols.items():
        if factor.denominator != 1 or any(exponent < 0 for _, exponent in monomial):
            raise NotUnderstoodError("a rounding that depends on where in the picture the pixel lies")
    return position({**symbols, ONE_TERM: Fraction(math.floor(constant))})


def truncated(value: Scalar) -> LiteralNumber | Position:
    """Returns GLSL's int() of the value. Raises NotUnderstoodError for a form and for a possibly negative value."""
    if isinstance(value, LinearForm):
        if value.unset is not None:
            raise NotUnderstoodError(f"'{value.unset.name}', to which nothing is assigned before")
        raise NotUnderstoodError("a texel's value as a whole number")
    if isinstance(value, LiteralNumber):
        if value.integer:
            return value
        if is_near(value, float(round(value.value))):
            raise NotUnderstoodError(f"a rounding of {value.value!r}, which may be below or above a whole number")
        return fitting(LiteralNumber(float(math.trunc(value.exact)), value.line, integer=True))
    if value.integer:
        return value
    whole = floor(value)
    assert isinstance(whole, Position)
    return Position(whole.terms, integer=True)
