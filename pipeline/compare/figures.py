"""Measures how far tensors that were read back are from the expected ones, in figures and per element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Figures
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor, Tolerance
from texelscope.pipeline.planning.storage import MANTISSA_BITS, PACKED, TEN_BITS, TWO_BITS, lanes_of
from texelscope.pipeline.quantization import STEPS, Quantization

# A channel of 8 bits may lie this far from the value written, in steps, by Direct3D's conversion rules, since GPUs
# round a little past the middle between two steps (OpenGL only prefers rounding to nearest).
_OF_A_STEP = 0.6
# OpenGL allows either of the two steps around a value (4.6, 2.3.5.2), and Mesa's software driver takes the lower one of
# ten bits; besides, steps are quotients in float32.
_OF_STEPS = 2.0**-20
# The least normal number of half floats, and of the lanes of r11g11b10.
_LEAST_NORMAL = 2.0**-14


def measure(actual: NDArray[np.float32], expected: Expected, tolerance: Tolerance | None = None) -> Figures:
    """Measures `actual` against `expected`, both in the tensor's logical shape.

    Equal infinities, and NaN where NaN is expected, are no error; an unexpected NaN is an infinite one. Where the bound
    is infinite, because the sum may overflow, an infinity is within it and NaN is not.
    """
    want = np.asarray(expected.value, dtype=np.float64)
    if np.array_equal(actual, want):  # as most passes are that only move or compare numbers: nothing is to be measured
        return Figures(0.0, 0.0, 0.0, 0, int(np.size(actual)))
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
    """Finds elements outside their rounding bound, in the logical shape; NaN is right only where it is expected."""
    want = np.asarray(expected.value, dtype=np.float64)
    with np.errstate(all="ignore"):
        close = np.abs(actual - want) <= rounding(expected)
    return np.asarray(~(close | (actual == want) | (np.isnan(actual) & np.isnan(want))))


def rounding(expected: Expected) -> NDArray[np.float64]:
    """Returns the bound per element; zero where the oracle demands equality."""
    return expected.bound if expected.bound is not None else np.zeros(np.shape(expected.value))


def rounding_by_storage(expected: Expected, stored: StoredTensor) -> NDArray[np.float64]:
    """Returns the largest rounding by storing each value of a tensor, whose lanes may round differently."""
    if stored.storage not in PACKED:
        return stored_rounding(expected, stored.storage, stored.quantization)
    lanes = lanes_of(stored).reshape(np.shape(expected.value))
    if stored.storage == "rgb10_a2":
        return np.where(lanes < len(MANTISSA_BITS), 1.0 / TEN_BITS, 1.0 / TWO_BITS) * (1.0 + _OF_STEPS)
    # Twice u, as for half floats; drivers make smaller numbers than the least normal one 0.
    step = np.exp2(-np.asarray((*MANTISSA_BITS, 0), dtype=np.float64))[lanes]
    return np.asarray(np.maximum(step * np.abs(expected.value), _LEAST_NORMAL))


def stored_rounding(expected: Expected, storage: str, quantization: Quantization | None = None) -> NDArray[np.float64]:
    """Returns the largest rounding by storing a value; a channel of 8 bits holds 256 steps, by default of 0 to 1."""
    shape = np.shape(expected.value)
    if quantization is not None:
        return np.asarray(_OF_A_STEP * quantization.step(shape) + quantization.reading_error(shape))
    if storage == "uint8":
        return np.full(shape, _OF_A_STEP / STEPS)
    # Twice u: a driver may truncate instead of rounding to nearest, and software drivers do.
    rounded = 2.0 * UNIT_ROUNDOFF["float16"] * np.abs(expected.value) + np.finfo(np.float16).smallest_subnormal
    return np.asarray(rounded, dtype=np.float64)


def root_mean_square(values: NDArray[np.floating]) -> float:
    """Returns the root mean square of values, in double; 0 where there are none."""
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64)))) if values.size else 0.0


def of_largest(actual: NDArray[np.floating], expected: NDArray[np.floating]) -> float:
    """Returns the largest |error| over the largest finite |value|; infinite where only one side is not finite."""
    have, want = (np.asarray(values, dtype=np.float64) for values in (actual, expected))
    same = (have == want) | (np.isnan(have) & np.isnan(want))
    if same.all():
        return 0.0
    if not (np.isfinite(have) & np.isfinite(want))[~same].all():
        return float("inf")
    finite = np.abs(np.concatenate([have[np.isfinite(have)], want[np.isfinite(want)]]))
    return float(np.abs(have[~same] - want[~same]).max() / finite.max())
