"""feedback_loop: what the target holds changes the result though the pass is drawn into another texture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class FeedbackLoop(Rule):
    """The pass samples the texture that it draws into."""

    cause = "feedback_loop"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        bound = {sampler.key: sampler.uniform for sampler in case.evidence.each.samplers}
        own = [bound[key] for key in case.evidence.each.outputs if key in bound]
        own += [str(case.evidence.facts["own_sampler"])] if "own_sampler" in case.evidence.facts else []
        zero, other = case.redrawn("own_target_zero"), case.redrawn("own_target_other")
        if zero is None or other is None or not (own or case.differ("own_target_zero", "own_target_other")):
            return
        shown = [read.tensor for read in case.evidence.reads if read.sampler.uniform in own]
        depends = (zero[0] != other[0]) & zero[1] & other[1]
        yield Hypothesis(
            self.cause,
            f"drawn elsewhere, the result changes with what its own target holds ({int(depends.sum()):,} elements)",
            "Draw into a texture that no sampler of the pass shows.",
            {"sampler": own[0]} if own else {},
            values=case.actual,
            line=lines.read(shown[0] if shown else None),
            weight=0.4,
            observed=True,
            covers=np.ones(case.dims, dtype=bool),
        )
