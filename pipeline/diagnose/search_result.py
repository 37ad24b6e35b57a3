"""The result of a search: hypotheses with their scores, best first, and the errors they leave.

If none explains everything the nearest count: of two faults, one alone leaves smaller errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.compare.judge import Score
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.cross_validation import CrossValidation
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage

# Elements tested; a hypothesis that leaves more than this share of their errors is wrong.
_ELEMENTS, _LEFT = 40, 0.85
# The most hypotheses of one cause, and in all.
_OF_CAUSE, MOST = 2, 8
# An error counts as at most this many times the usual one: some are huge.
_CAP = 4.0
# The cause for a map that has no name.
FORMULA = causes.INDEX_MAP


def nearest(case: FailingPass, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Returns those that leave the smallest errors, the best first, without those fitted to the wrong values."""
    wrong = case.sample[case.wrong.reshape(-1)[case.sample]]
    elements = wrong[np.linspace(0, len(wrong) - 1, min(_ELEMENTS, len(wrong))).astype(np.int64)]
    actual = case.actual.reshape(-1)[elements].astype(np.float64)
    before = np.abs(actual - case.expected.reshape(-1)[elements])
    finite = before[np.isfinite(before)]
    cap = _CAP * float(np.median(finite)) if len(finite) else 0.0
    found: list[tuple[float, int, Hypothesis]] = []
    for number, each in enumerate(hypotheses if cap else ()):
        if each.fitted or not each.changes:
            continue
        try:
            away = np.abs(actual - case.evaluate_at(each.changes, elements))
        except DoesNotApplyError:
            continue
        left = np.nan_to_num(away, nan=cap, posinf=cap).clip(max=cap).mean() / before.clip(max=cap).mean()
        if left < _LEFT:
            found.append((float(left), number, each))
    chosen: list[Hypothesis] = []
    for _, _, each in sorted(found, key=lambda entry: entry[:2]):
        if sum(other.cause is each.cause for other in chosen) < _OF_CAUSE and len(chosen) < MOST:
            chosen.append(each)
    return chosen


@dataclass(frozen=True)
class ScoredHypothesis:
    """A hypothesis has its score on errors that the causes `behind` it leave; `others` act on the same elements."""

    hypothesis: Hypothesis
    score: Score
    stage: Stage
    behind: tuple[Cause, ...] = ()
    others: tuple[Cause, ...] = ()

    @property
    def order(self) -> tuple[float, float, float]:
        """Returns the sort key: whole explanations by stage and weight, then observed ones, then parts."""
        if self.score.is_whole:
            return (float(self.hypothesis.cause is FORMULA) / 2.0, float(self.stage), self.hypothesis.prior)
        if self.hypothesis.observed:
            return (1.0, float(self.stage), -self.score.share)
        return (2.0, -self.score.share, float(self.stage))


@dataclass(frozen=True)
class SearchResult:
    """The hypotheses found, best first; `chain` counts the causes behind one another, `left` is the rest.

    Without `left` everything is explained; it is `sure` if the explanation holds on held-out inputs too, if nothing
    else does except the causes of `one_of`, and if everything else could be tried. `every` are all hypotheses tried, if
    none explains everything.
    """

    tried: tuple[ScoredHypothesis, ...]
    chain: int
    left: FailingPass | None
    sure: bool = False
    one_of: tuple[Cause, ...] = ()
    every: tuple[Hypothesis, ...] = ()

    @property
    def wrong(self) -> int:
        """Elements that are left unexplained."""
        return 0 if self.left is None else int(self.left.wrong.sum())


@dataclass
class Candidates:
    """Single causes: those that explain something, interventions that may hide others, candidates for pairs; all."""

    tried: list[ScoredHypothesis]
    interventions: list[Hypothesis]
    pairable: list[tuple[Hypothesis, Stage]]
    every: list[tuple[Hypothesis, Stage]]
    count: int = 0  # of all that were tried

    @property
    def is_whole(self) -> bool:
        return any(each.score.is_whole for each in self.tried)

    def keep(self, cross_validation: CrossValidation) -> None:
        """Keeps, of hypotheses that explain everything, only those that hold on held-out inputs."""
        kept = cross_validation.surviving([each.hypothesis for each in self.tried if each.score.is_whole])
        self.tried = [each for each in self.tried if not each.score.is_whole or any(each.hypothesis is h for h in kept)]

    def ordered(self) -> tuple[ScoredHypothesis, ...]:
        return tuple(sorted(self.tried, key=lambda each: each.order))
