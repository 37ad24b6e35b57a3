"""The result of a search: hypotheses with their scores, best first, and the errors they leave."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.diagnose.rivals import Rivals
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis
from pipeline.diagnose.trial.scoring import Score

# The cause for a map that has no name.
FORMULA = "index_map"


@dataclass(frozen=True)
class Tried:
    """A hypothesis has its score on errors that the causes `behind` it leave; `others` act on the same elements."""

    hypothesis: Hypothesis
    score: Score
    band: Band
    behind: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[float, float, float]:
        """Returns the sort key: whole explanations by stage and weight, then observed ones, then parts."""
        if self.score.is_whole:
            return (float(self.hypothesis.cause == FORMULA) / 2.0, float(self.band), self.hypothesis.weight)
        if self.hypothesis.observed:
            return (1.0, float(self.band), -self.score.share)
        return (2.0, -self.score.share, float(self.band))


@dataclass(frozen=True)
class Found:
    """The hypotheses found, best first; `chain` counts the causes behind one another, `left` is the rest.

    Without `left` everything is explained; it is `sure` if the explanation holds on held-out inputs too, if nothing
    else does except the causes of `one_of`, and if everything else could be tried. `every` are all hypotheses tried, if
    none explains everything.
    """

    tried: tuple[Tried, ...]
    chain: int
    left: Case | None
    sure: bool = False
    one_of: tuple[str, ...] = ()
    every: tuple[Hypothesis, ...] = ()

    @property
    def wrong(self) -> int:
        """Elements that are left unexplained."""
        return 0 if self.left is None else int(self.left.wrong.sum())


@dataclass
class Singles:
    """Single causes: those that explain something, interventions that may hide others, candidates for pairs; all."""

    tried: list[Tried]
    cures: list[Hypothesis]
    pairable: list[tuple[Hypothesis, Band]]
    every: list[tuple[Hypothesis, Band]]
    count: int = 0  # of all that were tried

    @property
    def is_whole(self) -> bool:
        return any(each.score.is_whole for each in self.tried)

    def keep(self, rivals: Rivals) -> None:
        """Keeps, of hypotheses that explain everything, only those that hold on held-out inputs."""
        kept = rivals.surviving([each.hypothesis for each in self.tried if each.score.is_whole])
        self.tried = [each for each in self.tried if not each.score.is_whole or any(each.hypothesis is h for h in kept)]

    def ordered(self) -> tuple[Tried, ...]:
        return tuple(sorted(self.tried, key=lambda each: each.order))
