"""bias_missing: the wrong values are those of the layer with zeros for its bias."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import constant_as
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.parts import biases


class BiasMissing(Rule):
    """The bias is not added."""

    cause = "bias_missing"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """One for each addend of the pass."""
        for bias in biases(case):
            yield Hypothesis(
                self.cause,
                f"the sum without the bias '{bias.tensor}'",
                "Add the bias of the output channel to the sum.",
                {"bias": bias.tensor},
                (constant_as(bias.tensor, np.zeros_like),),
                place=places.result,
                in_pairs=True,
            )
