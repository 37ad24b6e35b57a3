"""blend_enabled: with blending off the result comes right."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class BlendEnabled(Rule):
    """New values are mixed with what the target held, because blending was left on."""

    cause = "blend_enabled"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        found = case.redrawn("unblended")
        if found is None or not case.differ("unblended", "as_is_over_sentinel"):
            return
        if not case.differ("as_is", "as_is_over_sentinel") and not case.differ("unblended", "as_is"):
            return
        yield Hypothesis(
            self.cause,
            "with blending off",
            "Disable GL_BLEND before the pass is drawn: user interfaces leave it on.",
            values=found[0],
            covers=found[1],
            is_cure=True,
            weight=0.6,
        )
