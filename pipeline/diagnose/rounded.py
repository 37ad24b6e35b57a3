"""Whether errors are of the size of rounding: small beside the values, everywhere, and of no pattern."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.case import Case

Array = NDArray[Any]

# That of bfloat16; beyond, it is hard to call it rounding.
_COARSEST = 2.0**-8
# Errors that are the same multiple of the values, or the same in a channel, to this share are no rounding.
_ALIKE = 0.25
# With fewer wrong elements there is no telling whether they follow a pattern.
_FEWEST = 3


def rounding_of(case: Case) -> float | None:
    """The unit round-off with which the errors would be rounding; None if they do not look like it.

    The bound grows with the unit, so the largest ratio of an error to its bound tells the unit.
    """
    if not np.isfinite(case.actual).all() or not np.isfinite(case.expected).all():
        return None
    error = case.actual - case.expected
    wrong = np.asarray(error[case.wrong])
    if len(wrong) < _FEWEST or _is_confined(case) or _is_systematic(case, error):
        return None
    unit = float((np.abs(wrong) / size_of(case, case.expected[case.wrong])).max())
    return unit if unit < _COARSEST else None


def size_of(case: Case, values: Array) -> Array:
    """How large values are, for errors to be measured by: those near zero count as of the usual size."""
    return np.asarray(np.maximum(np.abs(values), float(np.sqrt(np.mean(np.square(case.expected)))) or 1.0))


def _is_confined(case: Case) -> bool:
    """Whether all wrong elements lie in some channels, rows, columns or lanes, others having none."""
    _, C, H, W = case.dims
    for axis, size in ((1, C), (2, H), (3, W)):
        there = case.wrong.any(axis=tuple(i for i in range(4) if i != axis))
        # By chance one of many has none.
        if size > 2 and np.count_nonzero(~there) > size // 2:
            return True
    lanes = np.asarray(case.to_texels(case.wrong.astype(np.float32)).any(axis=(0, 1)))
    return bool(lanes.any() and not lanes.all() and len(lanes) <= min(4, C))


def _is_systematic(case: Case, error: Array) -> bool:
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
