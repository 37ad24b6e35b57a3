"""bias_missing: the wrong values are those of the layer with zeros for its bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pipeline.diagnose.clues.addend import NONE, addend
from pipeline.diagnose.clues.parts import Bias, biases
from pipeline.diagnose.clues.region import Region, regions
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class BiasMissing(Rule):
    """The bias is not added."""

    cause = "bias_missing"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """One for each addend of the pass; for all elements, for regions where nothing was found to be added."""
        for bias in biases(case):
            says = f"the sum without the bias '{bias.tensor}'"
            change = constant_as(bias.tensor, np.zeros_like)
            yield self._hypothesis(says, {"bias": bias.tensor}, change, 1.0, pairs=True)
        for bias in biases(case):
            yield from self._in_part(case, bias)

    def _in_part(self, case: Case, bias: Bias) -> Iterator[Hypothesis]:
        found = addend(case, bias)
        if found is None:
            return
        by_channel = found.by_channel()
        lost = found.lost if by_channel is None else (by_channel[found.own] == NONE) & found.is_more_than_nothing
        for weight, region in enumerate(regions(lost.reshape(case.dims), case.address)):
            inside = region.mask.reshape(-1)
            channels = np.unique(found.own[inside & found.is_more_than_nothing])
            parameters: dict[str, Any] = {"bias": bias.tensor, "channels": channels[:16].tolist()}
            says = f"the sum without the bias '{bias.tensor}' in {_text(region, channels.tolist(), len(found.biases))}"
            change = found.change(np.where(inside, NONE, found.own))
            yield self._hypothesis(says, parameters, change, 1.1 + weight / 100.0, fitted=region.numbers)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: Change, weight: float, *, pairs: bool = False,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            "Add the bias of the output channel to the sum.",
            parameters,
            (change,),
            line=lines.result,
            weight=weight,
            in_pairs=pairs,
            fitted=fitted,
        )


def _text(region: Region, channels: Sequence[int], count: int) -> str:
    if len(channels) == count:
        return str(region)
    shown = ", ".join(map(str, channels[:6])) + (" …" if len(channels) > 6 else "")
    return f"channel{'s' if len(channels) > 1 else ''} {shown} of {count}"
