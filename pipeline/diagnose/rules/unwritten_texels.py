"""unwritten_texels: texels still hold a mark that was put there before a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class UnwrittenTexels(Rule):
    """Texels that a run does not write keep what they held before."""

    cause = "unwritten_texels"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        survivors = case.evidence.survivors
        if survivors is None or not survivors.any():
            return
        kept, count = case.of_texels(survivors) > 0, int(survivors.any(axis=2).sum())
        yield Hypothesis(
            self.cause,
            f"{count:,} texel{'s' if count > 1 else ''} kept what was put there before a run",
            "Draw over the whole target and write every texel: look for discard, an early return, a scissor rectangle.",
            {"elements": int(kept.sum())},
            values=np.where(kept, case.actual, case.expected).astype(np.float32),
            line=lines.discard,
            weight=1.5,
            observed=True,
        )
