"""How far two correct evaluations of an operator may differ: rounding-error bounds, no magic epsilon.

γ(k) = k·u / (1 − k·u) bounds the relative error of a sum of k products in any order, with or without fused
multiply-add (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., §3.1). The oracle rounds
too, so own rounding counts twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Evaluation
from texelscope.pipeline.operators.element_types import SMALL_FLOATS, whole_range

# By element type: half of the step from 1 to the next number.
UNIT_ROUNDOFF = {
    name: float(ml_dtypes.finfo(name).eps) / 2.0 for name in ("float32", "float16", "bfloat16", *SMALL_FLOATS)
}

# Below this a driver may flush to zero (GLSL 4.60, 4.7.1: denormals need not be kept).
SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)

# With so many inputs that carry errors, all corners of their box are tried: 2³ evaluations.
_MOST_CORNERED = 3


def gamma(terms: float, unit: float) -> float:
    """γ(k) for k = `terms`; infinite when k·u reaches 1."""
    product = terms * unit
    return product / (1.0 - product) if product < 1.0 else float("inf")


def sum_of_products(
    evaluation: Evaluation,
    terms: float,
    factors: Sequence[int],
    addends: Sequence[int] = (),
    *,
    oracle_terms: float | None = None,
) -> Array:
    """Bound for Σ x·w + b with `terms` addends: linear in each input of `factors`, `addends` only added.

    Own rounding: γ(k)·op(|x| + e, …) + γ(k')·op(|x|, |w|, |b|), k' = `oracle_terms` where the oracle adds up in
    another order than the shader, otherwise k. Carried: op(e, |w|, 0) for an error e of x, likewise for the other
    inputs, each met by those before it with their own errors added; as root of squares under `quadrature`.
    """
    linear = (*factors, *addends)
    absolute = [None if v is None else np.abs(v) if i in linear else v for i, v in enumerate(evaluation.inputs)]
    oracles = gamma(terms if oracle_terms is None else oracle_terms, evaluation.unit)
    bound = oracles * evaluation.run(absolute) + terms * SMALLEST_NORMAL
    widened = list(absolute)
    for position in linear:
        error = evaluation.errors[position] if position < len(evaluation.errors) else None
        size = absolute[position] if position < len(absolute) else None
        if error is None or size is None:
            continue
        silent = {*addends, *(factors if position in addends else ())} - {position}
        bound = bound + _carried(evaluation, widened, position, error, silent)
        if not evaluation.quadrature:
            widened[position] = up(size + error, size.dtype)
    return np.asarray(bound + gamma(terms, evaluation.unit) * evaluation.run(widened))


def up(values: Array, dtype: np.dtype[Any]) -> Array:
    """`values` as `dtype`, rounded towards +∞: a bound must not lose by being stored."""
    rounded = values.astype(dtype)
    if dtype.kind != "f":
        return rounded
    return np.where(rounded.astype(np.float64) < values, np.nextafter(rounded, dtype.type(np.inf)), rounded)


def _carried(
    evaluation: Evaluation,
    widened: Sequence[Array | None],
    position: int,
    error: Array,
    silent: Collection[int],
) -> Array:
    """op with `error` in place of the input at `position` and zero for the inputs that it does not meet."""
    values: list[Array | None] = []
    for i, value in enumerate(widened):
        if value is not None and i in silent:
            value = np.zeros_like(value)
        elif value is not None and value.dtype.kind == "f":
            value = up(error, value.dtype) if i == position else value
            value = np.square(value) if evaluation.quadrature else value
        values.append(value)
    carried = evaluation.run(values)
    return np.sqrt(np.maximum(carried, 0.0)) if evaluation.quadrature else carried


def power_error(base: NDArray[np.float64], exponent: float, unit: float) -> NDArray[np.float64]:
    """Relative bound on the difference of two evaluations of base^exponent, one by GLSL's pow, for base > 0.

    GLSL 4.60, 4.7.1: pow(x, y) is exp2(y·log2(x)); log2 within 3 ulp, or 2⁻²¹ for x in [½, 2]; exp2(t) within
    3 + 2·|t| ulp. One ulp is 2u.
    """
    logarithm = np.abs(np.log2(np.maximum(base, SMALLEST_NORMAL)))
    place = abs(exponent) * (np.maximum(6.0 * unit * logarithm, 2.0**-21) + 2.0 * unit * logarithm)
    return np.asarray(np.expm1(np.log(2.0) * place) + (6.0 + 4.0 * abs(exponent) * logarithm) * unit + 4.0 * unit)


def movement(evaluation: Evaluation) -> Array:
    """Bound for an operator that only moves elements: the inputs' errors, moved; no rounding of its own."""
    is_whole = evaluation.output.dtype.kind in "biu"  # then what is moved are numbers that are exact or are not
    if all(error is None or (is_whole and not np.any(error)) for error in evaluation.errors):
        return np.zeros(evaluation.output.shape)
    moved: list[Array | None] = []
    for value, error in zip(evaluation.inputs, evaluation.errors, strict=True):
        if value is None or value.dtype.kind != "f":
            moved.append(value)  # indices, shapes, axes: they say where, not how much
        else:
            moved.append(np.zeros_like(value) if error is None else error.astype(value.dtype))
    return np.abs(evaluation.run(moved).astype(np.float64))


def pointwise(evaluation: Evaluation, own: NDArray[np.floating]) -> Array:
    """Bound for y = f(x₁, x₂, …) element by element: `own` rounding plus how far f moves within the errors.

    f is evaluated at the corners of the box of errors, which is exact where f is monotone in each argument; so many
    more arguments that there are too many corners are moved one by one.
    """
    bound = np.asarray(own, dtype=np.float64) * 2.0
    touched = [i for i, error in enumerate(evaluation.errors) if error is not None]
    if not touched:
        return bound
    if not evaluation.quadrature and len(touched) <= _MOST_CORNERED:
        # The oracle rounds at the corners too.
        return bound * 2.0 + _reach(evaluation, touched)
    moved = np.zeros(evaluation.output.shape)
    for position in touched:
        reach = _reach(evaluation, [position])
        moved = np.hypot(moved, reach) if evaluation.quadrature else moved + reach
    return (bound if evaluation.quadrature else bound * 2.0) + moved


def _reach(evaluation: Evaluation, touched: Sequence[int]) -> Array:
    """How far f is from its value at the farthest corner of the box around the inputs in `touched`."""
    reach = np.zeros(evaluation.output.shape)
    for signs in itertools.product((1.0, -1.0), repeat=len(touched)):
        inputs = list(evaluation.inputs)
        for position, sign in zip(touched, signs, strict=True):
            value, error = evaluation.inputs[position], evaluation.errors[position]
            assert value is not None
            assert error is not None
            inputs[position] = _corner(value, error, sign)
        with np.errstate(all="ignore"):
            moved = evaluation.run(inputs).astype(np.float64) - evaluation.output.astype(np.float64)
            reach = np.fmax(reach, np.abs(moved))
    return reach


def _corner(value: Array, error: Array, sign: float) -> Array:
    """`value` with its error added (`sign` 1) or taken away (−1), in its own type: whole numbers stay whole."""
    limits = whole_range(value.dtype.name)
    if limits is None:
        return np.asarray(sign * up(sign * value + error, value.dtype))
    moved = value.astype(np.float64) + sign * np.floor(error)
    return np.asarray(np.clip(moved, *limits).astype(value.dtype))
