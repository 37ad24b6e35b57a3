"""viewport_mismatch: with the viewport set to the whole target the result comes right."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class ViewportMismatch(Rule):
    """The viewport is not the target's size: coordinates are stretched and texels left out."""

    cause = "viewport_mismatch"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        found = case.redrawn("viewport")
        if found is None or not case.differ("viewport", "as_is"):
            return
        yield Hypothesis(
            self.cause,
            "with the viewport as large as the target",
            "Set the viewport to the target's size before every pass.",
            values=found[0],
            covers=found[1],
            is_cure=True,
            weight=0.7,
        )
