"""activation_before_bias: the wrong values are the activation of the bare sum, plus the bias."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.parts import activations, biases, spread_by_channel
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, OutputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import ANOTHER, ELSEWHERE, Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


class ActivationBeforeBias(Rule):
    """The bias is added after the activation instead of before it."""

    cause = "activation_before_bias"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(repaired_in="values", is_of_sums=True, denied_by_reads=ELSEWHERE | ANOTHER)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes this order for each addend that an activation follows."""
        after = activations(case)
        order = [node.name for node in case.model_slice.nodes]
        for bias in biases(case):
            if not after or order.index(bias.node.name) > order.index(after[-1].name):
                continue
            added = spread_by_channel(case, bias.tensor)
            if added is None:
                continue
            yield self._hypothesis(
                after[-1], f"the bias '{bias.tensor}'", constant_as(bias.tensor, np.zeros_like), added
            )
        for node in case.model_slice.nodes:  # or another tensor, of the result's shape
            if after and facts_of(node).adds and order.index(node.name) < order.index(after[-1].name):
                for name in (name for name in node.inputs if case.read_of(name) is not None):
                    own = case.model_slice.values[name]
                    if own.size == case.actual.size:
                        without = InputChange(name, np.zeros_like, node=node.name)
                        yield self._hypothesis(after[-1], f"'{name}'", without, own.reshape(case.dims), tensor=name)

    def _hypothesis(self, node: Node, what: str, without: ModelEdit, added: Array, tensor: str = "") -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"{node.op_type} of the sum, then {what}",
            f"Add {what} first, then apply {node.op_type}.",
            {"activation": node.op_type, **({"tensor": tensor} if tensor else {})},
            (without, OutputChange(lambda y: y + added)),
            line=lines.read(tensor) if tensor else lines.activation,
        )
