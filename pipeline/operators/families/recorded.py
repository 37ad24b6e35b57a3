"""Implements Recorded, of the own domain: a program without a known meaning, by its recorded result."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator

# An input counts as the recorded one up to this largest |difference| over the largest |value|.
ALIKE = 1e-4
# Roundings relative to an element, and to the largest element: the terms of a sum are unknown.
_OWN, _LARGEST = 64.0, 8.0


def difference(given: Array, recorded: Array) -> float:
    """Returns the largest |difference| of elements over the largest |recorded| one; infinite if one is no number."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.asarray(given, dtype=np.float64) - recorded)
    apart = np.where(np.equal(given, recorded) | (np.isnan(given) & np.isnan(recorded)), 0.0, apart)
    largest = _largest(recorded)
    return float(np.nan_to_num(np.max(apart, initial=0.0), nan=np.inf)) / (largest or 1.0)


def _largest(values: Array) -> float:
    finite = np.abs(np.asarray(values, dtype=np.float64)[np.isfinite(values)])
    return float(np.max(finite, initial=0.0))


class RecordedOperator(Operator):
    """Returns another engine's recorded result of a program."""

    op_types = ("Recorded",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Returns None: the program itself is the pass."""
        raise UnsupportedError(call.who, "the program itself as the pass", "none", "Open the recording that it is of.")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Estimates roundings, and the effect of inputs that differ from the recorded ones or have errors."""
        count = len(evaluation.inputs) // 2
        moved = 0.0
        for position in range(count):
            given, recorded, error = (
                evaluation.inputs[position], evaluation.inputs[count + position], evaluation.errors[position],
            )  # fmt: skip
            assert given is not None
            assert recorded is not None
            moved = max(moved, difference(given, recorded))
            if error is not None:
                moved = max(moved, float(np.max(error, initial=0.0)) / (_largest(recorded) or 1.0))
        y = np.abs(np.asarray(evaluation.output, dtype=np.float64))
        largest = _largest(evaluation.output)
        return np.asarray(_OWN * evaluation.unit * y + (_LARGEST * evaluation.unit + 4.0 * moved) * largest)


OPERATORS = (RecordedOperator(),)
