"""bias_missing: the wrong values are those of the layer with zeros for its bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pipeline.diagnose.clues.addend import NONE, addend
from pipeline.diagnose.clues.parts import Bias, biases
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
        """One for each addend of the pass; for all elements, for those where nothing was found to be added."""
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
        own, by_channel = found.index.reshape(-1), found.by_channel()
        taken = found.taken() if by_channel is None else by_channel[own]
        without = (taken == NONE) & (np.abs(found.biases[own]) > found.slack)
        if without.any() and not without.all():
            channels = np.unique(own[without])
            parameters: dict[str, Any] = {"bias": bias.tensor, "channels": channels[:16].tolist()}
            says = f"the sum without the bias '{bias.tensor}' in {_text(channels.tolist(), len(found.biases))}"
            yield self._hypothesis(says, parameters, found.change(np.where(without, NONE, own)), 1.1)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: Change, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Add the bias of the output channel to the sum.",
            parameters,
            (change,),
            place=lines.result,
            weight=weight,
            in_pairs=pairs,
        )


def _text(channels: Sequence[int], count: int) -> str:
    if len(channels) == count:
        return f"some elements of each of its {count} channels"
    shown = ", ".join(map(str, channels[:6])) + (" …" if len(channels) > 6 else "")
    return f"channel{'s' if len(channels) > 1 else ''} {shown} of {count}"
