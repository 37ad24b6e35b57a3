"""nan_source: NaN came out where the model has numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.naive import naive_hypotheses


class NanSource(Rule):
    """The pass makes NaN from finite inputs: 0 / 0, inf - inf, the root or logarithm of a negative number."""

    cause = "nan_source"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        made = np.isnan(case.actual) & ~np.isnan(case.expected)
        if not made.any():
            return
        remedy = "Subtract the largest before exp, hold roots and logarithms above 0, add epsilon to divisors."
        yield from naive_hypotheses(self.cause, case, remedy)
        yield Hypothesis(
            self.cause, f"NaN where the model has numbers, in {int(made.sum()):,} of {made.size:,} elements", remedy,
            values=np.where(made, case.actual, case.expected).astype(np.float32),
            place=places.first(places.called("sqrt", "inversesqrt", "log", "log2", "pow", "asin", "acos"),
                               places.called("exp", "exp2"), places.operators("/")),
            weight=1.5, observed=True,
        )  # fmt: skip
