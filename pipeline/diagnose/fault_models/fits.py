"""Fits numbers to the errors: the one constant with which the model slice comes nearest to the actual values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]

# Multiples of the right number that are meant, however near: of bytes.
_NEAR_ONE = (255.0 / 256.0, 256.0 / 255.0)
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class _Limits:
    """Says when a fitted number is believed; shares are of the errors that the right number leaves."""

    left: float = 1e-2  # share that a fitted number may leave, which rounding explains
    promising: float = 0.5  # share that some number of a narrow range has to stay below
    elements: int = 3  # fewest elements that depend on a number: two may agree by chance
    apart: float = 0.25  # relative distance of other numbers, which must leave more
    told: float = 1e-3  # share by which they must leave more
    steps: int = 44  # golden sections: they narrow a range by 10⁹
    near: float = 0.05  # relative distance from the right number within which a number needs few digits
    same: float = 1e-6  # relative distance below which it is the right number itself
    spread: int = 512  # elements that show what an array holds, in a moment
    far: float = 1e300  # stands for an error that cannot be compared


_LIMITS = _Limits()


def spread_out(values: Array) -> Array:
    """Returns some of an array's elements, evenly spread: enough to see what it holds."""
    flat = values.reshape(-1)
    return flat[:: max(flat.size // _LIMITS.spread, 1)]


def fitted_number(case: FailingPass, change: Callable[[float], ModelEdit], right: float) -> list[float]:
    """Returns the number for which `change` leaves the least errors, with few digits first; none if it leaves many.

    Half of the wrong elements of the sample have to agree, which leaves the other half for another cause.
    """

    def errors(value: float) -> float:
        try:
            away = case.errors_at_sample((change(value),))
        except DoesNotApplyError:
            return math.inf
        if not away.size:
            return math.inf
        found = float(np.quantile(np.nan_to_num(away, nan=_LIMITS.far, posinf=_LIMITS.far), 0.5))
        return found if found < _LIMITS.far / 2.0 else math.inf

    return nearest_number(errors, right)


def nearest_number(errors: Callable[[float], float], right: float) -> list[float]:
    """Returns the number that leaves nearly none of the right one's errors, with few digits first; else none.

    None too if other numbers leave as little: nobody wrote a number that zeroes everything, or keeps everything.
    """
    guesses = _guesses(right)
    found = [errors(value) for value in guesses]
    best = int(np.argmin(found))
    if not math.isfinite(found[best]):
        return []
    value = _refined(errors, guesses[max(best - 1, 0)], guesses[min(best + 1, len(guesses) - 1)])
    left, before = errors(value), errors(right)
    if (
        left > _LIMITS.left * before
        or min(errors(value * (1.0 + by)) for by in (-_LIMITS.apart, _LIMITS.apart)) <= left + _LIMITS.told * before
    ):
        return []
    return shortened(value) if is_meant(value, right) else []


def fitted_between(
    case: FailingPass, changes: Callable[[float], tuple[ModelEdit, ...]], low: float, high: float
) -> float | None:
    """Returns the number in the range that leaves the least errors; None if it leaves many there.

    Errors have to fall towards it from both ends, as those of a power do towards its exponent. Elements that do not
    depend on it, or that become NaN, are ignored.
    """
    ends = [_errors_of_each(case, changes(value)) for value in (low, (low + high) / 2.0, high)]
    before = case.errors_at_sample(())
    asked = np.isfinite(before) & np.all(np.isfinite(ends), axis=0) & (ends[0] != ends[-1])
    if np.count_nonzero(asked) < _LIMITS.elements:
        return None

    def errors(value: float) -> float:
        return float(np.median(_errors_of_each(case, changes(value))[asked]))

    right = float(np.median(before[asked]))
    if min(float(np.median(each[asked])) for each in ends) > _LIMITS.promising * right:
        return None
    value = _refined(errors, low, high)
    return value if errors(value) <= _LIMITS.left * right else None


def _errors_of_each(case: FailingPass, changes: tuple[ModelEdit, ...]) -> Array:
    """Returns the errors; NaN where the changes do not apply."""
    try:
        return case.errors_at_sample(changes)
    except DoesNotApplyError:
        return np.full(case.errors_at_sample(()).shape, np.nan)


def is_meant(value: float, right: float) -> bool:
    """Whether somebody may have written `value` in place of `right`: it is far off, or has few digits.

    Otherwise it comes from rounding.
    """
    if abs(value - right) >= _LIMITS.near * max(abs(right), abs(value)):
        return True
    ratio = value / right if right else 1.0
    short = (float(f"{value:.3g}") / right if right else 1.0, *_NEAR_ONE)
    return any(math.isclose(ratio, each, rel_tol=1e-5) and abs(each - 1.0) > _LIMITS.same for each in short)


def shortened(value: float, tolerance: float = 1e-5) -> list[float]:
    """Returns the number with the fewest digits within the fit's tolerance, and the number itself."""
    short = (float(f"{value:.{digits}g}") for digits in range(1, 7))
    return list(
        dict.fromkeys((next((each for each in short if math.isclose(each, value, rel_tol=tolerance)), value), value))
    )


def shortest_between(low: float, high: float) -> float:
    """Returns a number with few digits from `low` on and below `high`."""
    for digits in range(9):
        step = 10.0**-digits
        candidate = math.ceil(low / step) * step
        if low <= candidate < high:
            return float(f"{candidate:.{digits}f}")
    return low


def _guesses(right: float) -> list[float]:
    """Returns numbers around the right one, by halves of powers of two, of either sign, in order."""
    size = abs(right) or 1.0
    sign = -1.0 if right < 0 else 1.0
    same = [sign * size * 2.0 ** (k / 2.0) for k in range(-16, 17)]
    other = [-sign * size * 2.0**k for k in range(-4, 5)]
    return sorted({0.0, *same, *other})


def _refined(errors: Callable[[float], float], low: float, high: float) -> float:
    """Finds a minimum by golden section search."""
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    of_inner, of_outer = errors(inner), errors(outer)
    for _ in range(_LIMITS.steps):
        if of_inner <= of_outer:
            high, outer, of_outer = outer, inner, of_inner
            inner = high - _GOLDEN * (high - low)
            of_inner = errors(inner)
        else:
            low, inner, of_inner = inner, outer, of_outer
            outer = low + _GOLDEN * (high - low)
            of_outer = errors(outer)
        if abs(high - low) <= 1e-8 * max(abs(low), abs(high)):
            break
    return inner if of_inner <= of_outer else outer
