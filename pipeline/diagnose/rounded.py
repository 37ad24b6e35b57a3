"""Whether errors are of the size of rounding: small beside the values."""

from __future__ import annotations

import numpy as np

from pipeline.diagnose.case import Case

# That of bfloat16; beyond, it is hard to call it rounding.
_COARSEST = 2.0**-8


def rounding_of(case: Case) -> float | None:
    """The unit round-off with which the errors would be rounding; None if they do not look like it.

    The bound grows with the unit, so the largest ratio of an error to its bound tells the unit.
    """
    if not np.isfinite(case.actual).all() or not np.isfinite(case.expected).all():
        return None
    error = case.actual - case.expected
    wrong = error[case.wrong]
    size = np.maximum(np.abs(case.expected[case.wrong]), float(np.sqrt(np.mean(np.square(case.expected)))) or 1.0)
    if len(wrong) < 3:
        return None
    relative = np.abs(wrong) / size
    unit = float(relative.max())
    return unit if unit < _COARSEST else None
