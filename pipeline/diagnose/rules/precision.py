"""precision: every error is small beside the values, and no other cause explains it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texelscope.pipeline.diagnose.clues.rounded import rounding_of, size_of
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits

_REMEDY = "Sum in another order, start sums at zero, use the built-in functions, or accept it with a tolerance."


class Precision(Rule):
    """Errors of the size of rounding, without a pattern: a sum that cancels, an approximation, low precision."""

    cause = "precision"
    stage = Stage.LAST
    family = "numbers"
    traits = Traits(is_rounding=True, denied_by_edits=frozenset({"bytes", "half"}))

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        unit = rounding_of(case)
        if unit is None:
            return
        bits = float(-np.log2(unit))
        yield Hypothesis(
            self.cause,
            f"errors of at most {unit:.1e} of the values, as with {bits:.0f} bits instead of 24",
            _REMEDY,
            {"bits": round(bits)},
            line=lines.sum_or_result if case.windows() else lines.first(lines.called("pow"), lines.sum_or_result),
            within=1.001 * unit * size_of(case, case.expected),
            fitted=1,
        )
