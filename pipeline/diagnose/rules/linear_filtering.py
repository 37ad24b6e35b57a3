"""linear_filtering: with nearest filtering the result comes right."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class LinearFiltering(Rule):
    """A linear filter mixes neighbouring texels where single values were meant."""

    cause = "linear_filtering"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        found = case.redrawn("nearest")
        if found is None or not case.differ("nearest", case.before_sampling):
            return
        filtered = [read for read in case.evidence.reads if read.sampler.filter == "linear"]
        yield Hypothesis(
            self.cause,
            "with nearest filtering",
            "Set the sampler's filter to nearest.",
            {"sampler": filtered[0].sampler.uniform} if filtered else {},
            values=found[0],
            covers=found[1],
            is_cure=True,
            order=2,
            line=lines.read(filtered[0].tensor if filtered else None),
            weight=0.9,
        )
