"""precision: every error is small beside the values, and nothing else explains it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.rounded import rounding_of, size_of, step_of
from pipeline.diagnose.mistakes.approximations import approximations
from pipeline.diagnose.mistakes.cancelled import cancelled, minus_square
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import output_through, times
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Proposing, Rule

_REMEDY = "Sum in another order, start sums at zero, and use the built-in functions; or accept it with a tolerance."
_NEXT_TO_ONE = 2.0**-8
_FEWEST = 3
# Share of the elements that one factor makes wrong; others are near zero.
_MOST = 0.5


class Precision(Rule):
    """Errors of the size of rounding, without a pattern: a sum that cancels, an approximation, low precision."""

    cause = "precision"
    band = Band.LAST

    def turns(self) -> tuple[tuple[Band, Proposing], ...]:
        """Differences of large numbers come before factors that are fitted to their errors."""
        return ((Band.VALUES, self._cancelled), (self.band, self.propose))

    def _cancelled(self, case: Case) -> Iterator[Hypothesis]:
        found = cancelled(case)
        if found is not None:
            yield Hypothesis(
                self.cause,
                f"variances off by up to {found.error:.2g}, as differences of numbers near {found.square:.2g} leave",
                "Subtract the mean from every value before it is squared.",
                {"error": found.error},
                (found.change,),
                line=lines.first(minus_square, lines.called("sqrt", "inversesqrt", "pow"), lines.result),
                weight=3.0,
            )

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        unit = rounding_of(case)
        if unit is None:
            yield from self._approximated(case)
            yield from self._on_steps(case)
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

    def _on_steps(self, case: Case) -> Iterator[Hypothesis]:
        step = step_of(case)
        if step is not None:
            large = step / float(np.finfo(np.float32).eps)
            yield Hypothesis(
                self.cause,
                f"whole multiples of {step:g} before any bias, as steps or sums near {large:.0e} leave",
                _REMEDY,
                {"step": step},
                line=lines.sum_or_result,
                within=np.full(case.dims, 1.001 * float(np.abs(case.actual - case.expected).max())),
            )

    def _approximated(self, case: Case) -> Iterator[Hypothesis]:
        for says, change in approximations(case):
            yield Hypothesis(
                self.cause, says, _REMEDY, {"form": says}, (change,), line=lines.call("exp", "pow", "clamp")
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
