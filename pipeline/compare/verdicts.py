"""Judges one tensor that was read back: the verdict on its elements, given what they should be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import measure, rounding, rounding_by_storage
from texelscope.pipeline.compare.report import Figures, Verdict
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor, Tolerance


def is_wrong_only_there(
    actual: NDArray[np.float32], expected: Expected, tolerance: Tolerance | None, unwritten: NDArray[np.bool_]
) -> bool:
    """Whether everything is right but unwritten elements, which are right by chance at best."""
    written = ~unwritten
    bound = None if expected.bound is None else np.broadcast_to(expected.bound, actual.shape)[written]
    return measure(actual[written], Expected(np.asarray(expected.value)[written], bound), tolerance).mismatched == 0


def verdict_of(
    actual: NDArray[np.float32],
    expected: Expected,
    figures: Figures,
    stored: StoredTensor,
    tolerance: Tolerance | None,
) -> Verdict:
    """Returns the verdict on `actual`, of which `figures` were measured; `stored` is how it is stored."""
    if figures.mismatched == 0:
        return "match"
    if np.any(np.isnan(actual) & ~np.isnan(np.asarray(expected.value, dtype=np.float64))):
        return "nan"
    if stored.storage != "float32" and tolerance is None:
        rounded = rounding(expected) + rounding_by_storage(expected, stored)
        if measure(actual, Expected(expected.value, rounded)).mismatched == 0:
            return "precision"
    return "mismatch"
