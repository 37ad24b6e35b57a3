"""How far what was read back is from what is expected, in figures and element by element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Figures
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Tolerance

# How far a channel of 8 bits may lie from the value written: 0.6 of a step, as Direct3D's conversion rules have it,
# since GPUs round a little past the middle between two steps (OpenGL only prefers rounding to nearest).
_EIGHT_BITS = 0.6 / 255.0


def measure(actual: NDArray[np.float32], expected: Expected, tolerance: Tolerance | None = None) -> Figures:
    """Figures of `actual` against `expected`, both in the tensor's logical shape.

    Equal infinities and NaN where NaN is expected are no error; an unexpected NaN is an infinite one. Where the bound
    is infinite, because the sum may overflow, an infinity is within it and NaN is not.
    """
    want = np.asarray(expected.value, dtype=np.float64)
    have = actual.astype(np.float64)
    with np.errstate(all="ignore"):
        error = np.atleast_1d(np.abs(have - want))  # item assignment below; a scalar's has none
        error[(have == want) | (np.isnan(have) & np.isnan(want))] = 0.0
        beyond = np.isnan(error)
        error[beyond] = np.inf
        bound = rounding(expected) if tolerance is None else tolerance.atol + tolerance.rtol * np.abs(want)
        ratio = np.where(error == 0.0, 0.0, error / np.maximum(bound, np.finfo(np.float64).tiny))
        ratio[np.isinf(error) & np.isinf(bound)] = 1.0
        ratio[beyond] = np.inf
        relative = np.where(error == 0.0, 0.0, error / np.abs(want))
    worst = int(np.argmax(ratio)) if ratio.size else 0
    return Figures(
        max_abs=float(error.max(initial=0.0)),
        max_rel=float(relative.max(initial=0.0)),
        bound_ratio=float(ratio.max(initial=0.0)),
        mismatched=int(np.count_nonzero(ratio > 1.0)),
        count=int(error.size),
        worst=worst,
    )


def wrong_elements(actual: NDArray[np.float32], expected: Expected) -> NDArray[np.bool_]:
    """Elements outside their rounding bound, in the logical shape; NaN is right only where it is expected."""
    want = np.asarray(expected.value, dtype=np.float64)
    with np.errstate(all="ignore"):
        close = np.abs(actual - want) <= rounding(expected)
    return np.asarray(~(close | (actual == want) | (np.isnan(actual) & np.isnan(want))))


def rounding(expected: Expected) -> NDArray[np.float64]:
    """The bound element by element; zero where the oracle says equal."""
    return expected.bound if expected.bound is not None else np.zeros(np.shape(expected.value))


def stored_rounding(expected: Expected, storage: str) -> NDArray[np.float64]:
    """What storing a value rounds, at most; a channel of 8 bits holds 0 to 1 alone."""
    if storage == "uint8":
        return np.full(np.shape(expected.value), _EIGHT_BITS)
    # Twice u: a driver may cut off instead of rounding to nearest, and software drivers do.
    rounded = 2.0 * UNIT_ROUNDOFF["float16"] * np.abs(expected.value) + np.finfo(np.float16).smallest_subnormal
    return np.asarray(rounded, dtype=np.float64)


def root_mean_square(values: NDArray[np.floating]) -> float:
    """The size of values, in double; 0 where there are none."""
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64)))) if values.size else 0.0


def of_largest(actual: NDArray[np.floating], expected: NDArray[np.floating]) -> float:
    """The largest |error| over the largest finite |value| of either; infinite where one alone is not finite."""
    have, want = (np.asarray(values, dtype=np.float64) for values in (actual, expected))
    same = (have == want) | (np.isnan(have) & np.isnan(want))
    if same.all():
        return 0.0
    if not (np.isfinite(have) & np.isfinite(want))[~same].all():
        return float("inf")
    finite = np.abs(np.concatenate([have[np.isfinite(have)], want[np.isfinite(want)]]))
    return float(np.abs(have[~same] - want[~same]).max() / finite.max())
