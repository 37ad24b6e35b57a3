"""activation_before_bias: the wrong values are the activation of the bare sum, plus the bias."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.parts import activations, biases, spread_by_channel
from pipeline.diagnose.redo.redo import OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class ActivationBeforeBias(Rule):
    """The bias is added after the activation instead of before it."""

    cause = "activation_before_bias"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """One for each addend that an activation follows."""
        after = activations(case)
        order = [node.name for node in case.redo.nodes]
        for bias in biases(case):
            if not after or order.index(bias.node.name) > order.index(after[-1].name):
                continue
            added = spread_by_channel(case, bias.tensor)
            if added is None:
                continue
            yield Hypothesis(
                self.cause,
                f"{after[-1].op_type} of the sum, then the bias '{bias.tensor}'",
                f"Add the bias first, then apply {after[-1].op_type}.",
                {"activation": after[-1].op_type},
                (constant_as(bias.tensor, np.zeros_like), OutputChange(lambda y, b=added: y + b)),  # type: ignore[misc]
                line=lines.activation,
            )
