"""nondeterministic: runs on the same inputs differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

REMEDY = (
    "Look for a clock or a frame counter among the uniforms, for buffers that take turns, and in a compute shader for "
    "a barrier() that is missing."
)


class Nondeterministic(Rule):
    """Two runs on the same inputs give different results."""

    cause = "nondeterministic"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        reruns = case.evidence.reruns
        if len(reruns) < 3 or case.differ("own_target_zero", "own_target_other"):
            return
        first, second = case.of_texels(reruns[1]), case.of_texels(reruns[2])
        varies = (first != second) & ~(np.isnan(first) & np.isnan(second))
        if varies.any():
            varies |= first != case.actual
            yield Hypothesis(
                self.cause,
                "three runs on the same inputs over the same target give different values",
                REMEDY,
                values=np.where(varies, case.actual, case.expected).astype(np.float32),
                line=lines.result,
                weight=0.5,
                observed=True,
            )
