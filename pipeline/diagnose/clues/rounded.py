"""Decides whether errors look like rounding: small beside the values, everywhere, and without a pattern."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF

Array = NDArray[Any]

# The unit round-off of bfloat16 bounds all errors together: larger ones are hardly rounding. One of many may exceed it.
_COARSEST, _LARGEST = UNIT_ROUNDOFF["bfloat16"], 2.0**-6
# Errors that are equal multiples of the values, or equal in a channel, to this share are not rounding.
_ALIKE = 0.25
# Fewer wrong elements show no pattern.
_FEWEST = 3
# Values above this multiple of the median are outliers.
_HUGE = 8.0


def rounding_of(case: FailingPass) -> float | None:
    """Returns the unit round-off that would explain the errors; None if they do not look like rounding.

    The bound grows with the unit, so the largest ratio of an error to its bound gives the unit.
    """
    if not np.isfinite(case.actual).all() or not np.isfinite(case.expected).all():
        return None
    error = case.actual - case.expected
    wrong = np.asarray(error[case.wrong])
    if len(wrong) < _FEWEST or _is_confined(case) or _is_systematic(case, error):
        return None
    ratio = np.abs(wrong) / size_of(case, case.expected[case.wrong])
    unit = float(ratio.max())
    return unit if unit < _LARGEST and float(np.sqrt(np.mean(np.square(ratio)))) < _COARSEST else None


def size_of(case: FailingPass, values: Array) -> Array:
    """Returns the magnitudes by which errors are measured: values near zero count as of the usual size.

    The usual size ignores a few huge values, such as those that a mask pushes down.
    """
    sizes = np.abs(case.expected[case.expected != 0.0])
    usual = min(float(np.sqrt(np.mean(np.square(sizes)))), _HUGE * float(np.median(sizes))) if sizes.size else 1.0
    return np.asarray(np.maximum(np.abs(values), usual))


def _is_confined(case: FailingPass) -> bool:
    """Whether all wrong elements lie in some channels, rows, columns or lanes, while others have none."""
    _, C, H, W = case.dims
    count = int(case.wrong.sum())
    for axis, size in ((1, C), (2, H), (3, W)):
        there = case.wrong.any(axis=tuple(i for i in range(4) if i != axis))
        # A few of many lines have none by chance.
        if size > 2 and np.count_nonzero(~there) > max(size // 2, _by_chance(size, count)):
            return True
    lanes = np.asarray(case.to_texels(case.wrong.astype(np.float32)).any(axis=(0, 1)))
    empty = np.count_nonzero(~lanes)
    return bool(lanes.any() and empty > _by_chance(len(lanes), count) and len(lanes) <= min(4, C))


def _by_chance(lines: int, count: int) -> float:
    """Returns how many of that many lines may by chance contain none of `count` scattered elements."""
    expected = lines * float((1.0 - 1.0 / lines) ** count)
    return expected + math.sqrt(expected)


def _is_systematic(case: FailingPass, error: Array) -> bool:
    """Whether the errors are one multiple of the values, or one number in each channel."""
    with np.errstate(all="ignore"):
        ratio = (error / case.expected)[case.wrong]
    ratio = np.asarray(ratio[np.isfinite(ratio)])
    if len(ratio) > _FEWEST and np.std(ratio) < _ALIKE * abs(float(np.mean(ratio))):
        return True
    within = error.std(axis=(0, 2, 3))
    between = np.abs(error.mean(axis=(0, 2, 3)))
    several = error[:, 0].size > _FEWEST
    return bool(several and within.mean() < _ALIKE * between.mean())
