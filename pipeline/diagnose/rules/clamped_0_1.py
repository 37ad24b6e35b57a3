"""clamped_0_1: the wrong values are the right ones capped to 0 … 1."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.mistakes.curves import curves
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

_CAPS = {
    "capped to 0 … 1": lambda y: np.clip(y, 0.0, 1.0),
    "capped to -1 … 1": lambda y: np.clip(y, -1.0, 1.0),
    "capped to at most 1": lambda y: np.minimum(y, 1.0),
}


class Clamped01(Rule):
    """Values are capped to 0 … 1, as fixed-point targets and pictures hold them."""

    cause = "clamped_0_1"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of the result and of each input."""
        remedy = "Render to a float texture, read it back as float, and do not clamp."
        return curves(case, self.cause, _CAPS, remedy, lines.call("clamp", "min"))
