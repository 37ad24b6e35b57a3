"""activation_extra: the wrong values are the right ones (or an input) put through one more curve."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import input_through, node_of, output_through
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.parts import EXTRA_ACTIVATIONS
from pipeline.diagnose.redo import Change

# Built-ins that give an activation away in the text.
_CALLS = {
    "Relu": ("max", "step"), "Sigmoid": ("exp",), "Tanh": ("tanh", "exp"), "Abs": ("abs",), "Relu6": ("clamp", "min"),
    "Softplus": ("log",), "Square": ("pow",), "Exp": ("exp",), "Sqrt": ("sqrt",),
}  # fmt: skip


class ActivationExtra(Rule):
    """An activation is applied that the model does not have: to the result, before another one, or to an input."""

    cause = "activation_extra"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Common curves after the last node, before each of those at the end, and on each input."""
        for weight, (name, function) in enumerate(EXTRA_ACTIVATIONS.items()):
            light = 1.0 + weight / 100.0
            yield self._hypothesis(
                f"{name} of the right result", name, output_through(function), light, pairs=weight == 0
            )
            for node in case.redo.tail():
                pointwise = node.op_type != "BatchNormalization"
                change = node_of(case, node, function, pointwise=pointwise)
                yield self._hypothesis(f"{name} before {node.op_type} '{node.name}'", name, change, light + 0.3)
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
            place=places.call(*_CALLS[name]),
            weight=weight,
            in_pairs=pairs,
        )
