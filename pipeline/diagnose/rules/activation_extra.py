"""activation_extra: the wrong values are the right ones (or an input) put through one more curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.diagnose.clues.parts import activations
from pipeline.diagnose.mistakes.extra_curves import CURVES
from pipeline.diagnose.redo.redo import Change, NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Array, Function, input_through, node_of, output_through
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of


class ActivationExtra(Rule):
    """An activation is applied that the model does not have: to the result, before another one, or to an input."""

    cause = "activation_extra"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Common curves on the result, before and behind each pointwise node, in place of one, and on each input."""
        pointwise = case.redo.nodes_with(lambda facts: facts.pointwise or facts.by_channel)
        replaced = [node for node in activations(case) if facts_of(node).pointwise]
        for weight, (name, curve) in enumerate(CURVES.items()):
            light, function = 1.0 + weight / 100.0, curve.function
            yield self._hypothesis(
                f"{name} of the right result", name, output_through(function), light, pairs=weight == 0
            )
            for node in replaced:
                if node.op_type != name:
                    change = NodeChange(node.name, _instead(function), pointwise=True)
                    says = f"{name} in place of {node.op_type} '{node.name}'"
                    yield self._hypothesis(says, name, change, light + 0.29)
            for node in pointwise:
                change = node_of(case, node, function, pointwise=facts_of(node).pointwise)
                yield self._hypothesis(f"{name} before {node.op_type} '{node.name}'", name, change, light + 0.3)
            for node in case.redo.nodes[:-1]:
                if case.redo.window(node) is not None or node in pointwise:
                    change = NodeChange(node.name, _behind(case, function))
                    yield self._hypothesis(f"{name} behind {node.op_type} '{node.name}'", name, change, light + 0.31)
            for read in case.activations():
                change_in = input_through(read.tensor, function)
                yield self._hypothesis(f"{name} of the input '{read.tensor}'", name, change_in, light + 0.6)

    def _hypothesis(self, says: str, name: str, change: Change, weight: float, *, pairs: bool = False) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            f"Take {name} away: the model has none here.",
            {"activation": name},
            (change,),
            place=lines.call(*CURVES[name].calls),
            weight=weight,
            in_pairs=pairs,
        )


def _instead(function: Function):  # type: ignore[no-untyped-def]
    return lambda _node, inputs: np.asarray(function(inputs[0]), dtype=np.float32)


def _behind(case: Case, function: Function):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(case.redo.run_node(node, inputs)), dtype=np.float32)

    return change
