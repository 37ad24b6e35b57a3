"""inf_source: infinity came out where the model has numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.mistakes.curves import LARGEST_HALF
from pipeline.diagnose.mistakes.naive import naive_hypotheses
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class InfSource(Rule):
    """The pass makes infinities from finite inputs: an exponential out of range, a division by zero."""

    cause = "inf_source"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        made = np.isinf(case.actual) & np.isfinite(case.expected)
        largest = float(np.abs(case.expected[np.isfinite(case.expected)]).max(initial=0.0))
        if not made.any() or largest > LARGEST_HALF:
            return
        remedy = "Keep exponents below 88 and divisors away from 0."
        yield from naive_hypotheses(self.cause, case, remedy)
        yield Hypothesis(
            self.cause, f"infinity where the model has numbers, in {int(made.sum()):,} of {made.size:,} elements",
            remedy,
            values=np.where(made, case.actual, case.expected).astype(np.float32),
            line=lines.first(lines.called("exp", "exp2", "pow"), lines.operators("/")), weight=1.5, observed=True,
        )  # fmt: skip
