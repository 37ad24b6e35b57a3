"""Implements GLSL's functions of single lanes: computes them for numbers, and keeps functions of forms for texels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from texelscope.pipeline.dialects.mpv.network.rounding import divide, floor, is_near
from texelscope.pipeline.dialects.mpv.network.textures import clamped_index
from texelscope.pipeline.dialects.mpv.network.values import (
    NOTHING,
    Apply,
    LinearForm,
    LiteralNumber,
    NotUnderstoodError,
    Position,
    Scalar,
    add,
    as_form,
    form_of,
    multiply,
)

ONE = LiteralNumber(1.0)

# Maps GLSL's name to ONNX's operator and to its function of a number.
_UNARY: Mapping[str, tuple[str, Callable[[float], float]]] = {
    "abs": ("Abs", abs),
    "exp": ("Exp", math.exp),
    "log": ("Log", math.log),
    "sqrt": ("Sqrt", math.sqrt),
    "tanh": ("Tanh", math.tanh),
    "sin": ("Sin", math.sin),
    "cos": ("Cos", math.cos),
    "sign": ("Sign", lambda x: float((x > 0) - (x < 0))),
    "floor": ("Floor", math.floor),
    "ceil": ("Ceil", math.ceil),
}
# The functions whose result is whole where the argument is, and those that round.
_WHOLE = frozenset({"abs", "sign"})
_ROUNDING = frozenset({"floor", "ceil"})


def negated(value: Scalar) -> Scalar:
    """Returns −value."""
    return multiply(LiteralNumber(-1.0, integer=isinstance(value, LiteralNumber | Position) and value.integer), value)


def real(value: Scalar) -> Scalar:
    """Returns the value as a float, which a whole number becomes where a float is expected."""
    if isinstance(value, LiteralNumber):
        return LiteralNumber(value.value, value.line) if value.integer else value
    return Position(value.terms) if isinstance(value, Position) and value.integer else value


def alike(*values: Scalar) -> tuple[Scalar, ...]:
    """Returns the values as floats if one of them is one: all arguments of a function have one type."""
    is_whole = all(isinstance(value, LiteralNumber | Position) and value.integer for value in values)
    return values if is_whole else tuple(map(real, values))


def maximum(left: Scalar, right: Scalar) -> Scalar:
    """Returns max(left, right): of a form and 0 its Relu; of a form and a multiple of itself a leaky Relu."""
    left, right = alike(left, right)
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        return left if left.value >= right.value else right
    first, second = as_form(left), as_form(right)
    for form, other in ((first, second), (second, first)):
        if not other.terms and not other.constant.value and form.terms:
            return form_of(Apply("Relu", (form,)))
        slope = _ratio(other, form)
        if slope is not None and 0.0 <= slope.value < 1.0:
            return _leaky(form, slope)
    return form_of(Apply("Max", (first, second)))


def minimum(left: Scalar, right: Scalar) -> Scalar:
    """Returns min(left, right), which is −max(−left, −right)."""
    left, right = alike(left, right)
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        return left if left.value <= right.value else right
    return negated(maximum(negated(left), negated(right)))


def clamp(value: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """Returns min(max(value, low), high); for a pixel's index the bounds are the first and the last one."""
    value, low, high = alike(value, low, high)
    if isinstance(value, Position) and isinstance(low, LiteralNumber) and not low.value:
        return clamped_index(value, high)
    if not isinstance(low, LiteralNumber) or not isinstance(high, LiteralNumber):
        return minimum(maximum(value, low), high)
    if isinstance(value, LiteralNumber):
        return LiteralNumber(min(max(value.value, low.value), high.value), value.line, value.integer)
    limits = (LinearForm(LiteralNumber(low.value), NOTHING), LinearForm(LiteralNumber(high.value), NOTHING))
    return form_of(Apply("Clip", (as_form(value), *limits)))


def smooth_step(first: Scalar, last: Scalar, value: Scalar) -> Scalar:
    """Returns 3·t² − 2·t³ of t, the value's share of the way from one number to a larger one, from 0 to 1."""
    if not isinstance(first, LiteralNumber) or not isinstance(last, LiteralNumber) or first.value >= last.value:
        raise NotUnderstoodError("smoothstep() between values that are no rising numbers")
    share = clamp(divide(add(real(value), real(first), -1), real(add(last, first, -1))), LiteralNumber(0.0), ONE)
    return multiply(multiply(share, share), add(LiteralNumber(3.0), multiply(LiteralNumber(2.0), share), -1))


def fraction(value: Scalar) -> Scalar:
    """Returns fract(value): of a place its fractional part, if that is the same for every pixel."""
    if isinstance(value, LinearForm):
        raise NotUnderstoodError("fract() of a texel's value")
    value = real(value)
    assert not isinstance(value, LinearForm)
    return real(add(value, floor(value), -1))


def mix(left: Scalar, right: Scalar, share: Scalar) -> Scalar:
    """Returns left·(1 − share) + right·share."""
    return add(multiply(left, add(ONE, share, -1)), multiply(right, share))


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """Returns base to the power of a number."""
    if not isinstance(exponent, LiteralNumber):
        raise NotUnderstoodError("pow() with an exponent that is no number")
    if isinstance(base, LiteralNumber):
        if base.value < 0:
            raise NotUnderstoodError("pow() of a negative number, which GLSL leaves open")
        try:
            return LiteralNumber(math.pow(base.value, exponent.value), base.line)
        except (ValueError, OverflowError) as error:
            raise NotUnderstoodError(f"pow({base.value:g}, {exponent.value:g})") from error
    return form_of(Apply("Pow", (as_form(base), LinearForm(LiteralNumber(exponent.value), NOTHING))))


def unary(name: str) -> Callable[[Scalar], Scalar] | None:
    """Returns the unary function of that GLSL name; None if it is unsupported."""
    if name not in _UNARY:
        return None
    operator, compute = _UNARY[name]

    def applied(value: Scalar) -> Scalar:
        if isinstance(value, LiteralNumber):
            try:
                if name in _ROUNDING and not value.integer and is_near(value, float(round(value.value))):
                    raise NotUnderstoodError(f"{name}({value.value!r}), which rounding decides")
                return LiteralNumber(float(compute(value.value)), value.line, value.integer and name in _WHOLE)
            except (ValueError, OverflowError) as error:
                raise NotUnderstoodError(f"{name}({value.value:g})") from error
        if isinstance(value, Position) and name == "floor":
            return real(floor(value))
        if isinstance(value, Position) and name == "ceil":
            opposite = negated(value)
            assert isinstance(opposite, Position)
            return real(negated(floor(opposite)))
        return form_of(Apply(operator, (as_form(value),)))

    return applied


def inverse_root(value: Scalar) -> Scalar:
    """Returns 1 / sqrt(value)."""
    root = unary("sqrt")
    assert root is not None
    return divide(ONE, root(value))


def fused(left: Scalar, right: Scalar, summand: Scalar) -> Scalar:
    """Returns left·right + summand."""
    return real(add(multiply(left, right), summand))


def modulo(left: Scalar, right: Scalar) -> Scalar:
    """Returns left − right·floor(left / right), GLSL's mod()."""
    left, right = real(left), real(right)
    if not isinstance(right, LiteralNumber):
        raise NotUnderstoodError("mod() by a value that is no number")
    ratio = divide(left, right)
    whole = floor(ratio) if not isinstance(ratio, LinearForm) else form_of(Apply("Floor", (ratio,)))
    return real(add(left, multiply(right, whole), -1))


LANEWISE: Mapping[str, tuple[int, Callable[..., Scalar]]] = {
    "max": (2, maximum),
    "min": (2, minimum),
    "clamp": (3, clamp),
    "mix": (3, mix),
    "smoothstep": (3, smooth_step),
    "pow": (2, power),
    "fract": (1, fraction),
    "inversesqrt": (1, inverse_root),
    "fma": (3, fused),
    "mod": (2, modulo),
}


def lanewise(name: str) -> tuple[int, Callable[..., Scalar]] | None:
    """Returns the number of arguments of a function of single lanes, and the function; None if unsupported."""
    one = unary(name)
    return (1, one) if one is not None else LANEWISE.get(name)


def _ratio(part: LinearForm, whole: LinearForm) -> LiteralNumber | None:
    """Returns the number that makes `part` of `whole`; None if none does."""
    if not whole.terms or part.terms.keys() != whole.terms.keys():
        return None
    pairs = [(part.terms[atom], weight) for atom, weight in whole.terms.items()]
    pairs.append((part.constant, whole.constant))
    ratios = [(inner.value / outer.value, inner.line) for inner, outer in pairs if outer.value]
    if not ratios or any(inner.value and not outer.value for inner, outer in pairs):
        return None
    first = ratios[0]
    agree = all(math.isclose(ratio, first[0], rel_tol=1e-12, abs_tol=1e-300) for ratio, _ in ratios)
    return LiteralNumber(*first) if agree else None


def _leaky(form: LinearForm, slope: LiteralNumber) -> Scalar:
    """Returns form where it is positive, slope·form elsewhere."""
    positive = form_of(Apply("Relu", (form,)))
    negative = form_of(Apply("Relu", (as_form(negated(form)),)))
    return add(positive, multiply(slope, negative), -1)
