"""Names what storage does to values of right formulas: fewer digits, or steps of a byte."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Array = NDArray[Any]
# Halves have 11 bits. A driver may cut off what is beyond instead of rounding it; beside it is rounding of float32.
_LAST_BIT, _FLOAT = 2.0**-10 * 1.01, 1e-6
# A byte's steps, and how exactly values lie on them: reading back a float32 costs no more.
_STEPS, _ON_STEP = 255.0, 1e-3


def seen_in_storage(found: PassDivergences, expected: Array) -> Seen | None:
    """Names how values of which the formulas are right differ from the model's; None where that is not certain."""
    actual, right = (np.asarray(each, dtype=np.float64).reshape(-1) for each in (found.actual, expected))
    if not (np.isfinite(actual).all() and np.isfinite(right).all()):
        return None
    steps = actual * _STEPS
    is_on_steps = bool((np.abs(steps - np.rint(steps)) <= _ON_STEP).all())
    clamped = np.clip(right, 0.0, 1.0)
    if is_on_steps and (np.abs(actual - clamped) <= 1.0 / _STEPS).all():
        is_cut = not np.allclose(clamped, right, rtol=0.0, atol=1.0 / _STEPS)
        return Seen(causes.CLAMPED_0_1, "is right, but its values are stored in 0 … 1, in steps of a byte") if is_cut \
            else Seen(causes.QUANTIZED_8BIT, "is right, but its values are stored in steps of a byte")  # fmt: skip
    with np.errstate(over="ignore"):
        is_of_halves = bool((actual.astype(np.float16).astype(np.float64) == actual).all())
    if is_of_halves and (np.abs(actual - right) <= _LAST_BIT * np.abs(right) + _FLOAT).all():
        return Seen(causes.HALF_PRECISION, "is right, but its values have the digits of half precision")
    return None
