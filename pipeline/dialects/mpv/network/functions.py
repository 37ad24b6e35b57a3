"""GLSL's functions of single lanes: computed for numbers, kept as functions of forms for texels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

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
    floor,
    form_of,
    multiply,
)

ONE = LiteralNumber(1.0)
_NEGATIVE = LiteralNumber(-1.0)

# GLSL's name → ONNX's operator, and what it makes of a number.
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


def negated(value: Scalar) -> Scalar:
    """−value."""
    return multiply(_NEGATIVE, value)


def maximum(left: Scalar, right: Scalar) -> Scalar:
    """max(left, right): of a form and 0 its Relu; of a form and a part of itself a leaky one."""
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
    """min(left, right), which is −max(−left, −right)."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        return left if left.value <= right.value else right
    return negated(maximum(negated(left), negated(right)))


def clamp(value: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """min(max(value, low), high); the bounds are numbers, or the first and the last pixel."""
    if isinstance(value, Position) and isinstance(low, LiteralNumber) and not low.value:
        return clamped_index(value, high)
    if not isinstance(low, LiteralNumber) or not isinstance(high, LiteralNumber):
        raise NotUnderstoodError("clamp() between values that are no numbers")
    if isinstance(value, LiteralNumber):
        return LiteralNumber(min(max(value.value, low.value), high.value), value.line, value.integer)
    limits = (LinearForm(LiteralNumber(low.value), NOTHING), LinearForm(LiteralNumber(high.value), NOTHING))
    return form_of(Apply("Clip", (as_form(value), *limits)))


def fraction(value: Scalar) -> Scalar:
    """fract(value): of a place what is behind the point, where that is the same for every pixel."""
    if isinstance(value, LinearForm):
        raise NotUnderstoodError("fract() of a texel's value")
    return add(value, floor(value), -1)


def mix(left: Scalar, right: Scalar, share: Scalar) -> Scalar:
    """left·(1 − share) + right·share."""
    return add(multiply(left, add(ONE, share, -1)), multiply(right, share))


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """base to a number."""
    if not isinstance(exponent, LiteralNumber):
        raise NotUnderstoodError("pow() to what is no number")
    if isinstance(base, LiteralNumber):
        try:
            return LiteralNumber(math.pow(base.value, exponent.value), base.line)
        except (ValueError, OverflowError) as error:
            raise NotUnderstoodError(f"pow({base.value:g}, {exponent.value:g})") from error
    return form_of(Apply("Pow", (as_form(base), LinearForm(LiteralNumber(exponent.value), NOTHING))))


def unary(name: str) -> Callable[[Scalar], Scalar] | None:
    """The function of one argument that GLSL calls so; None if there is none that is known here."""
    if name not in _UNARY:
        return None
    operator, compute = _UNARY[name]

    def applied(value: Scalar) -> Scalar:
        if isinstance(value, LiteralNumber):
            try:
                return LiteralNumber(float(compute(value.value)), value.line, value.integer)
            except (ValueError, OverflowError) as error:
                raise NotUnderstoodError(f"{name}({value.value:g})") from error
        if isinstance(value, Position) and name == "floor":
            return floor(value)
        return form_of(Apply(operator, (as_form(value),)))

    return applied


LANEWISE: Mapping[str, tuple[int, Callable[..., Scalar]]] = {
    "max": (2, maximum),
    "min": (2, minimum),
    "clamp": (3, clamp),
    "mix": (3, mix),
    "pow": (2, power),
    "fract": (1, fraction),
}


def lanewise(name: str) -> tuple[int, Callable[..., Scalar]] | None:
    """How many arguments the function of single lanes takes, and it; None for a name that is not known here."""
    one = unary(name)
    return (1, one) if one is not None else LANEWISE.get(name)


def _ratio(part: LinearForm, whole: LinearForm) -> LiteralNumber | None:
    """The number that makes `part` of `whole`; None if none does."""
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
    """form where it is positive, slope·form elsewhere."""
    positive = form_of(Apply("Relu", (form,)))
    negative = form_of(Apply("Relu", (as_form(negated(form)),)))
    return add(positive, multiply(slope, negative), -1)
