"""Names another function of a sum: its values at some points against those of the model's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.symbolic.kinds import Curved, Renamed
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Array = NDArray[Any]
# Smaller values are nothing; factors that differ by less, relatively, are one.
_TINY, _ALIKE = 1e-6, 1e-2
# Values that differ by less, relatively, are equal: the rounding of float32 through a function or two.
_NEAR = 1e-3
# Fewer known points show no function.
_FEWEST = 6
# Beside values so many times as large, a number is lost in the rounding of constants.
_BESIDE = 1e4
# So many equal values are no crossing of two functions.
_SOME = 3


class Values(NamedTuple):
    """The finite values of two functions at the same points, in the order of the points."""

    points: Array
    right: Array
    got: Array


def known_values(each: Curved) -> Values | None:
    """Returns where both functions have values; None where these are too few."""
    every = np.array((each.points, each.expected, each.got), dtype=np.float64)
    every = every[:, np.isfinite(every).all(axis=0)]
    if every.shape[1] < _FEWEST:
        return None
    return Values(*every[:, np.argsort(every[0])])


def seen_in_name(found: PassDivergences, each: Renamed) -> Seen | None:
    """Names a function that has another name than the model's; None for a clamp, which has two orders."""
    if each.got and each.expected and len(found.nodes) > 1:
        return None
    if not each.got:
        return Seen(causes.WRONG_FUNCTION, f"lacks the function {_worded(each.expected)}")
    if not each.expected:
        return Seen(causes.ACTIVATION_EXTRA, f"applies {_worded(each.got)}, which the model does not")
    return Seen(causes.WRONG_FUNCTION, f"has {each.got}, not {each.expected}")


def seen_in_curve(each: Curved) -> Seen | None:
    """Names a function that has other values than the model's; None where too few are known."""
    values = known_values(each)
    if values is None:
        return None
    seen = next((seen for rule in _RULES if (seen := rule(values)) is not None), None)
    if seen is not None:
        return seen
    return Seen(causes.WRONG_FUNCTION, "applies another function than the model's")


def factor_of(each: Curved) -> float | None:
    """Returns by how much a function is another one times a number; None where it is not."""
    got, right = np.array(each.got, dtype=np.float64), np.array(each.expected, dtype=np.float64)
    known = np.isfinite(got) & np.isfinite(right)
    filled = known & (np.abs(right) > _TINY)
    if (np.abs(got[known & ~filled]) > _TINY).any():
        return None
    ratios = (got[filled] / right[filled]).tolist()
    is_one = bool(ratios) and max(ratios) - min(ratios) <= _ALIKE * abs(ratios[0])
    return float(ratios[0]) if is_one else None


def weights_of(each: Curved) -> tuple[float, float] | None:
    """Returns the factors of two functions that are 0 on one side and a line on the other, expected and got."""
    values = known_values(each)
    if values is None or not all(_is_bent(values.points, of) for of in (values.right, values.got)):
        return None
    one, other = _slopes(values.points, values.right), _slopes(values.points, values.got)
    side = int(one[0] == 0.0)
    if one[1 - side] != 0.0 or other[1 - side] != 0.0 or one[side] == 0.0:
        return None
    sign = 1.0 if side else -1.0
    return sign * one[side], sign * other[side]


def is_scaled(each: Curved) -> bool:
    """Whether a function is another one times a number."""
    return factor_of(each) is not None


def step_of(each: Curved) -> float | None:
    """Returns the number that one function is more than another one everywhere; None if there is none."""
    values = known_values(each)
    if values is None:
        return None
    left = values.got - values.right
    small = np.abs(values.right) <= _BESIDE * np.abs(left).max()  # beside larger values, the number is rounding
    if small.sum() < _FEWEST or np.ptp(left[small]) > 0.05 * abs(float(left[small][0])):
        return None
    return float(np.median(left[small]))


def reciprocal(each: Curved) -> Curved:
    """Returns the reciprocals of both functions, without values where they are 0."""
    one, other = (tuple(1.0 / of if of else math.nan for of in values) for values in (each.expected, each.got))
    return replace(each, expected=one, got=other)


def argument_factor_of(each: Curved) -> float | None:
    """Returns by how much the argument of a logistic function or of a hyperbolic tangent is multiplied; else None."""
    values = known_values(each)
    if values is None:
        return None
    for inverse, low in ((lambda y: np.log(y / (1.0 - y)), 0.0), (np.arctanh, -1.0)):
        inside = np.logical_and.reduce([(y > low + _NEAR) & (y < 1.0 - _NEAR) for y in (values.right, values.got)])
        if inside.sum() < _FEWEST or ((values.right < low) | (values.got < low)).any():
            continue
        with np.errstate(all="ignore"):
            ratios = inverse(values.got[inside]) / inverse(values.right[inside])
        if not np.isfinite(ratios).all():
            continue
        if np.ptp(ratios) <= _ALIKE * abs(float(ratios[0])):
            return float(np.median(ratios))
    return None


def is_branch(each: Curved, actual: float) -> bool:
    """Whether a straight line is the side of the model's function on which the value `actual` lies.

    A text may choose by a condition: of its function one side alone is seen.
    """
    values = known_values(each)
    if values is None or not (_is_bent(values.points, values.right) and _is_line(values.points, values.got)):
        return False
    slope = float(values.got[-1] / values.points[-1])
    side = int(actual * slope > 0.0)
    return math.isclose(slope, _slopes(values.points, values.right)[side], rel_tol=_NEAR)


# -- rules, the first that holds counts ---------------------------------------------------------------------------


def _missing(values: Values) -> Seen | None:
    """Sees a straight line in place of a function."""
    if not _is_line(values.points, values.got) or _is_line(values.points, values.right):
        return None
    slope = float(values.got[-1] / values.points[-1])
    lower, upper = _slopes(values.points, values.right)
    steepest = max((lower, upper), key=abs)
    is_bent = _is_bent(values.points, values.right) and lower * upper != 0.0
    if is_bent and math.isclose(slope, min((lower, upper), key=abs), rel_tol=_ALIKE):
        return Seen(causes.WRONG_FUNCTION, "applies the other side of the model's function")
    agreeing = np.isclose(values.got, values.right, rtol=_NEAR, atol=0.0).sum()
    if abs(steepest) <= 5e-2 * abs(slope) or math.isclose(slope, steepest, rel_tol=2e-2) or agreeing >= _SOME:
        return Seen(causes.ACTIVATION_MISSING, "does not apply the function of the sum")
    if is_bent:
        return Seen(causes.ALPHA, "applies a function with another slope")
    return Seen(causes.WRONG_FUNCTION, "multiplies the sum by a number where the model has a function of it")


def _extra(values: Values) -> Seen | None:
    """Sees a function in place of a straight line."""
    if not _is_line(values.points, values.right) or _is_line(values.points, values.got):
        return None
    if _equal(values.got, np.clip(values.right, 0.0, 1.0)):
        return Seen(causes.CLAMPED_0_1, "clamps values to 0 … 1")
    return Seen(causes.ACTIVATION_EXTRA, "applies a function that the model does not have")


def _multiple(values: Values) -> Seen | None:
    """Sees the same function times a number, or times one and with another one added."""
    right, got = values.right, values.got
    filled = np.abs(right) > _TINY
    if filled.any() and not (np.abs(got[~filled]) > _TINY).any():
        ratios = got[filled] / right[filled]
        if np.ptp(ratios) <= _ALIKE * abs(float(ratios[0])):
            return Seen(causes.SCALE, f"multiplies a function by {float(np.median(ratios)):.6g}")
    span = np.ptp(right)
    if span <= _TINY:
        return None
    low, high = int(right.argmin()), int(right.argmax())
    factor = (got[high] - got[low]) / span
    addend = got[low] - factor * right[low]
    if abs(factor) > _TINY and abs(addend) > _NEAR and _equal(got, factor * right + addend):
        return Seen(causes.AFFINE, f"multiplies a function by {factor:.6g} and adds {addend:.6g}")
    return None


def _clamped(values: Values) -> Seen | None:
    """Sees the model's function under a clamp; a rectifier in place of one like it is another function."""
    points, right, got = values
    at_zero = np.maximum(right, 0.0)
    if _equal(got, at_zero):
        is_rectifier = _is_line(points[points > 0.0], right[points > 0.0]) or _is_line(
            points[points < 0.0], right[points < 0.0]
        )
        return None if is_rectifier else Seen(causes.CLAMPED_NONNEGATIVE, "sets negative values to 0")
    if _equal(got, np.clip(right, 0.0, 1.0)):
        return Seen(causes.CLAMPED_0_1, "clamps values to 0 … 1")
    return None


def _second(values: Values) -> Seen | None:
    """Sees a known function on top of the model's."""
    for name, function in _KNOWN.items():
        with np.errstate(all="ignore"):
            if _equal(values.got, function(values.right)) and not _equal(function(values.right), values.right):
                return Seen(causes.ACTIVATION_EXTRA, f"applies {name} to what the model's function gives")
    return None


def _slope(values: Values) -> Seen | None:
    """Sees two straight lines of other slopes: the flatter one's slope is the function's constant."""
    points, right, got = values
    if not (_is_bent(points, right) and _is_bent(points, got)):
        return None
    one, other = _slopes(points, right), _slopes(points, got)
    same = [math.isclose(a, b, rel_tol=2e-3, abs_tol=_TINY) for a, b in zip(one, other, strict=True)]
    steep = int(abs(one[1]) >= abs(one[0]))
    if same[steep] and not same[1 - steep] and one[1 - steep] != 0.0 and other[1 - steep] != 0.0:
        return Seen(causes.ALPHA, f"has a slope of {other[1 - steep] / one[steep]:.6g}, "
                                  f"not {one[1 - steep] / one[steep]:.6g}")  # fmt: skip
    return None


def _bound(values: Values) -> Seen | None:
    """Sees two functions that stay at numbers on both sides and are straight lines between: at others, or steeper."""
    points, right, got = values
    if all(_is_clip(points, of) for of in (right, got)):
        return Seen(causes.ALPHA, "applies a function with another bound or slope")
    return None


def _amplitude(values: Values) -> Seen | None:
    """Sees a function of which one side is multiplied by a number: that side's constant."""
    points, right, got = values
    same = np.isclose(got, right, rtol=_NEAR, atol=_TINY)
    for differs, stays in ((points < 0.0, points > 0.0), (points > 0.0, points < 0.0)):
        bent = differs & (np.abs(right) > _TINY)
        if bent.sum() < _SOME or not same[stays].all() or not _is_line(points[stays], right[stays]):
            continue
        ratios = got[bent] / right[bent]
        is_one = ratios.min() > 0.0 and np.ptp(ratios) <= _ALIKE * ratios[0] and abs(ratios[0] - 1.0) > _ALIKE
        if is_one and not _is_bent(points, right):
            return Seen(causes.ALPHA, "applies a function with another constant")
    return None


_RULES: Sequence[Callable[[Values], Seen | None]] = (
    _missing, _extra, _multiple, _clamped, _slope, _bound, _amplitude, _second,
)  # fmt: skip
_KNOWN: dict[str, Callable[[Array], Array]] = {
    "a logistic function": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "a hyperbolic tangent": np.tanh,
    "an exponential": np.exp,
}


def _worded(name: str) -> str:
    """Returns a function's name for a sentence: a curve has none of its own."""
    return "of the sum" if name == "curve" else name


def _equal(one: Array, other: Array) -> bool:
    return bool(np.isclose(one, other, rtol=_NEAR, atol=_TINY).all())


def _is_line(points: Array, values: Array) -> bool:
    if len(points) < _SOME:
        return False
    slopes = values / points
    return bool(np.ptp(slopes) <= 1e-3 * max(abs(float(slopes[0])), 1e-12))


def _slopes(points: Array, values: Array) -> tuple[float, float]:
    """Returns a function's slopes far below zero and far above it."""
    return float(values[0] / points[0]), float(values[-1] / points[-1])


def _is_bent(points: Array, values: Array) -> bool:
    """Whether a function is a straight line below zero, and another one above it."""
    sides = (points < 0.0, points > 0.0)
    return all(of.any() and _is_line(points[of], values[of]) for of in sides)


def _is_clip(points: Array, values: Array) -> bool:
    """Whether a function stays at one number below, at another one above, and is a straight line between."""
    low, high = values[0], values[-1]
    if math.isclose(low, high, abs_tol=_TINY) or not np.isfinite((low, high)).all():
        return False
    between = ~(np.isclose(values, low, rtol=_NEAR, atol=_TINY) | np.isclose(values, high, rtol=_NEAR, atol=_TINY))
    if any(not math.isclose(values[at], of, rel_tol=_NEAR, abs_tol=_TINY) for at, of in ((1, low), (-2, high))):
        return False
    if between.sum() < _SOME:
        return bool(between.any())
    slopes = np.diff(values[between]) / np.diff(points[between])
    return bool(np.ptp(slopes) <= 2e-2 * abs(float(slopes[0])))
