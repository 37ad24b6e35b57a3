"""precision: every error is small beside the values, and nothing else explains it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.rounded import rounding_of


class Precision(Rule):
    """Errors of the size of rounding, without a pattern: a sum that cancels, an approximation, low precision."""

    cause = "precision"
    band = Band.LAST

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        unit = rounding_of(case)
        if unit is None:
            return
        yield Hypothesis(
            self.cause,
            f"errors as if computed with {-np.log2(unit):.0f} bits instead of 24",
            "Sum in another order, start sums at zero, and use the built-in functions; or accept it with a tolerance.",
            {"bits": round(float(-np.log2(unit)))},
            values=case.actual,
            place=places.sum_or_result,
        )
