"""clamped_nonnegative: the wrong values are the right ones without the negative ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.mistakes.extra_curves import CURVES
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import input_through, output_through
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class ClampedNonnegative(Rule):
    """Negative values are lost, as in a target without a sign."""

    cause = "clamped_nonnegative"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of the result and of each input; by the shader it would be called a ReLU, so that comes before."""
        cut = CURVES["Relu"].function
        drawn = case.redrawn("clean")
        stored = drawn is not None and case.judge.only(drawn[1]).cures(drawn[0][drawn[1]]).is_whole
        yield Hypothesis(
            self.cause,
            "the right values without the negative ones" + (", which a float target keeps" if stored else ""),
            "Render to a target that has a sign (a float format) and do not cut at 0.",
            changes=(output_through(cut),),
            line=lines.first(lines.called("max"), lines.result),
            weight=0.5 if stored else 1.05,
        )
        for read in case.activations():
            if np.any(read.values.elements < 0.0):
                yield Hypothesis(
                    self.cause,
                    f"the input '{read.tensor}' without its negative values",
                    "Keep the input in a format that has a sign.",
                    {"input": read.tensor},
                    (input_through(read.tensor, cut),),
                    line=lines.read(read.tensor),
                    weight=1.9,
                )
