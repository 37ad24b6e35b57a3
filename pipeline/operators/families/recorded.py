"""Recorded: the result of a program that nobody gave a meaning, as it was recorded elsewhere; the own domain's."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator

# Largest |difference| over the largest |value| at which an input counts as the recorded one.
ALIKE = 1e-4
# Roundings of one's own size, and of the largest element's: nobody knows the terms of what was summed.
_OWN, _LARGEST = 64.0, 8.0


def difference(given: Array, recorded: Array) -> float:
    """The largest |difference| of elements over the largest |recorded| one; infinite where one is no number."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.asarray(given, dtype=np.float64) - recorded)
    apart = np.where(np.equal(given, recorded) | (np.isnan(given) & np.isnan(recorded)), 0.0, apart)
    largest = _largest(recorded)
    return float(np.nan_to_num(np.max(apart, initial=0.0), nan=np.inf)) / (largest or 1.0)


def _largest(values: Array) -> float:
    finite = np.abs(np.asarray(values, dtype=np.float64)[np.isfinite(values)])
    return float(np.max(finite, initial=0.0))


class RecordedOperator(Operator):
    """What a program of another engine made where it was recorded."""

    op_types = ("Recorded",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """None: the program itself is the pass."""
        raise UnsupportedError(call.who, "the program itself as the pass", "none", "Open the recording that it is of.")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """An estimate: roundings, and what inputs that are not quite the recorded ones, or err, may move."""
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
