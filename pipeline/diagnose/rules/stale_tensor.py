"""stale_tensor: a run writes nothing, or another run on the same inputs comes right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class StaleTensor(Rule):
    """The result belongs to an earlier run: the pass was not drawn, or it read a texture before it was filled."""

    cause = "stale_tensor"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        survivors = case.evidence.survivors
        if survivors is not None and survivors.any():
            there = case.output.layout.address(case.output.shape) >= 0
            if survivors[there].all() and np.any(case.actual != 0.0):
                yield Hypothesis(
                    self.cause,
                    "a run writes nothing at all, and the target holds values of another one",
                    "Draw the pass whenever its inputs change.",
                    values=case.actual,
                    weight=1.0,
                    observed=True,
                )
        reruns = case.evidence.reruns
        if len(reruns) == 3 and all(np.array_equal(reruns[0], other, equal_nan=True) for other in reruns[1:]):
            yield Hypothesis(
                self.cause,
                "drawn again on the same inputs",
                "Fill the inputs before the pass reads them: look for two buffers that are swapped too late.",
                values=case.of_texels(reruns[0]),
                is_cure=True,
                weight=1.1,
            )
