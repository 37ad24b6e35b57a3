"""nan_source: NaN came out where the model has numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.mistakes.naive import naive_hypotheses
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


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
            line=lines.first(lines.called("sqrt", "inversesqrt", "log", "log2", "pow", "asin", "acos"),
                               lines.called("exp", "exp2"), lines.operators("/")),
            weight=1.5, observed=True,
        )  # fmt: skip
