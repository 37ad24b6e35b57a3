"""What a search has found: hypotheses with their scores, best first, and what they leave."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.diagnose.cross_validation import CrossValidation
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.scoring import Score

# The cause that says a map that has no name.
FORMULA = "index_map"


@dataclass(frozen=True)
class ScoredHypothesis:
    """A hypothesis with its score on what the causes `behind` it in order leave; `others` act on the same elements."""

    hypothesis: Hypothesis
    score: Score
    band: Stage
    behind: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[float, float, float]:
        """Whole explanations by band and weight, names before a formula; then what was seen; parts by their share."""
        if self.score.is_whole:
            return (float(self.hypothesis.cause == FORMULA) / 2.0, float(self.band), self.hypothesis.weight)
        if self.hypothesis.observed:
            return (1.0, float(self.band), -self.score.share)
        return (2.0, -self.score.share, float(self.band))


@dataclass(frozen=True)
class SearchResult:
    """What was found, best first; `chain` of those are causes behind one another, and `left` is what they leave.

    Without `left` everything is explained; `sure` if that holds on other inputs too, on none of these anything else
    does, but for the causes of `one_of`, and all else could be tried. `every` are all that were tried, where nothing
    explains everything.
    """

    tried: tuple[ScoredHypothesis, ...]
    chain: int
    left: FailingPass | None
    sure: bool = False
    one_of: tuple[str, ...] = ()
    every: tuple[Hypothesis, ...] = ()

    @property
    def wrong(self) -> int:
        """Elements that are left unexplained."""
        return 0 if self.left is None else int(self.left.wrong.sum())


@dataclass
class Candidates:
    """Of single causes: what explains something, cures that may hide others, what may be one of a pair, and all."""

    tried: list[ScoredHypothesis]
    cures: list[Hypothesis]
    pairable: list[tuple[Hypothesis, Stage]]
    every: list[tuple[Hypothesis, Stage]]
    count: int = 0  # of all that were tried

    @property
    def is_whole(self) -> bool:
        return any(each.score.is_whole for each in self.tried)

    def keep(self, rivals: CrossValidation) -> None:
        """Of what explains everything only that which holds on other inputs."""
        kept = rivals.surviving([each.hypothesis for each in self.tried if each.score.is_whole])
        self.tried = [each for each in self.tried if not each.score.is_whole or any(each.hypothesis is h for h in kept)]

    def ordered(self) -> tuple[ScoredHypothesis, ...]:
        return tuple(sorted(self.tried, key=lambda each: each.order))
