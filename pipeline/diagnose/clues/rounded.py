"""Whether errors are of the size of rounding: small beside the values, everywhere, and of no pattern."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF

Array = NDArray[Any]

# That of bfloat16, for errors as a whole; beyond, it is hard to call it rounding. One of many may be larger.
_COARSEST, _LARGEST = UNIT_ROUNDOFF["bfloat16"], 2.0**-6
# Errors that are the same multiple of the values, or the same in a channel, to this share are no rounding.
_ALIKE = 0.25
# With fewer wrong elements there is no telling whether they follow a pattern.
_FEWEST = 3
# What is so many times the median is no usual value.
_HUGE = 8.0


def rounding_of(case: FailingPass) -> float | None:
    """The unit round-off with which the errors would be rounding; None if they do not look like it.

    The bound grows with the unit, so the largest ratio of an error to its bound tells the unit.
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
    """How large values are, for errors to be measured by: those near zero count as of the usual size.

    Which that is a few huge ones do not tell, such as those that a mask pushes down.
    """
    sizes = np.abs(case.expected[case.expected != 0.0])
    usual = min(float(np.sqrt(np.mean(np.square(sizes)))), _HUGE * float(np.median(sizes))) if sizes.size else 1.0
    return np.asarray(np.maximum(np.abs(values), usual))


def _is_confined(case: FailingPass) -> bool:
    """Whether all wrong elements lie in some channels, rows, columns or lanes, others having none."""
    _, C, H, W = case.dims
    count = int(case.wrong.sum())
    for axis, size in ((1, C), (2, H), (3, W)):
        there = case.wrong.any(axis=tuple(i for i in range(4) if i != axis))
        # By chance one of many has none.
        if size > 2 and np.count_nonzero(~there) > max(size // 2, _by_chance(size, count)):
            return True
    lanes = np.asarray(case.to_texels(case.wrong.astype(np.float32)).any(axis=(0, 1)))
    empty = np.count_nonzero(~lanes)
    return bool(lanes.any() and empty > _by_chance(len(lanes), count) and len(lanes) <= min(4, C))


def _by_chance(lines: int, count: int) -> float:
    """How many of so many lines may well have none of `count` elements that are strewn over them."""
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
