"""half_overflow: the wrong values are the right ones in half precision, infinities among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.mistakes.curves import LARGEST_HALF, NearestTo, as_half
from pipeline.diagnose.redo.redo import Change, OutputChange
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import input_through, output_through
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class HalfOverflow(Rule):
    """Values beyond 65504 become infinite in half precision."""

    cause = "half_overflow"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of the result, as infinity or capped, and of each input."""
        largest = _largest(case.expected)
        if largest > LARGEST_HALF:
            if (np.isinf(case.actual) & np.isfinite(case.expected)).any():
                limit = f"{LARGEST_HALF:.0f} is the limit"
                says = f"the right values in half precision, the largest of them {largest:.5g} ({limit})"
                yield self._hypothesis(says, largest, OutputChange(NearestTo(case, as_half)), 0.5)
            says = f"the right values capped to {LARGEST_HALF:.0f}, the largest of them {largest:.5g}"
            capped = output_through(lambda y: np.clip(y, -LARGEST_HALF, LARGEST_HALF))
            yield self._hypothesis(says, largest, capped, 0.6)
        for read in case.activations():
            largest = _largest(read.values.elements)
            if largest > LARGEST_HALF:
                says = f"reads of '{read.tensor}' in half precision, where {largest:.5g} is infinite"
                yield self._hypothesis(says, largest, input_through(read.tensor, as_half), 0.7)

    def _hypothesis(self, says: str, largest: float, change: Change, weight: float) -> Hypothesis:
        remedy = "Scale the tensor down, or store it as float32."
        return Hypothesis(self.cause, says, remedy, {"largest": largest}, (change,), weight=weight)


def _largest(values: NDArray[Any]) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
