"""precision: every error is small beside the values, and nothing else explains it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.rounded import rounding_of, size_of
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import output_through, times
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

_REMEDY = "Sum in another order, start sums at zero, and use the built-in functions; or accept it with a tolerance."
_NEXT_TO_ONE = 2.0**-8
_FEWEST = 3
# Share of the elements that one factor makes wrong; others are near zero.
_MOST = 0.5


class Precision(Rule):
    """Errors of the size of rounding, without a pattern: a sum that cancels, an approximation, low precision."""

    cause = "precision"
    band = Band.LAST

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        unit = rounding_of(case)
        if unit is None:
            yield from self._of_few_digits(case)
            return
        bits = float(-np.log2(unit))
        yield Hypothesis(
            self.cause,
            f"errors of at most {unit:.1e} of the values, as {bits:.0f} bits instead of 24 leave",
            _REMEDY,
            {"bits": round(bits)},
            line=lines.sum_or_result if case.windows() else lines.first(lines.called("pow"), lines.sum_or_result),
            within=1.001 * unit * size_of(case, case.expected),
            fitted=1,
        )

    def _of_few_digits(self, case: Case) -> Iterator[Hypothesis]:
        """One factor next to 1, where a divisor or a constant belongs to the operator."""
        if not case.redo.nodes_with(lambda facts: facts.means or facts.divides) or case.wrong.mean() < _MOST:
            return
        with np.errstate(all="ignore"):
            ratio = case.actual.astype(np.float64) / case.expected
        ratio = ratio[np.isfinite(ratio) & case.wrong]
        factor = float(np.median(ratio)) if len(ratio) > _FEWEST else 1.0
        if 0.0 < abs(factor - 1.0) < _NEXT_TO_ONE:
            yield Hypothesis(
                self.cause,
                f"the right values times {factor:.6f}, as a divisor or constant of few digits leaves",
                _REMEDY,
                {"factor": factor},
                (output_through(times(factor)),),
                line=lines.sum_or_result,
                weight=2.0,
                fitted=1,
            )
