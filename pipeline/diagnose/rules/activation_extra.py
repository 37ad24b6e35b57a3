"""activation_extra: the wrong values are the right ones (or an input) put through one more curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.diagnose.clues.fits import fitted_between, shortened
from texelscope.pipeline.diagnose.fault_models.extra_curves import CURVES, LEAKY_CALLS, STEEPEST, leaky
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import Array, Function, input_through, node_of, output_through
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# What is fitted comes behind what is one factor of everything.
_FITTED = 70


@dataclass(frozen=True)
class _Way:
    """Where values may go through a curve: in words behind its name, and what that changes."""

    says: str
    change: Callable[[Function], ModelEdit]
    weight: float
    of_result: bool = False
    of_input: bool = False


class ActivationExtra(Rule):
    """An activation is applied that the model does not have: to the result, before another one, or to an input."""

    cause = "activation_extra"
    band = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Common curves, and a leaky one of fitted slope, on any way that values take through the pass."""
        is_leaky = bool(case.redo.node("LeakyRelu"))  # another one behind it is another slope of it
        for way in _ways(case):
            for weight, (name, curve) in enumerate(CURVES.items()):
                if is_leaky and not way.of_input and name.startswith("LeakyRelu"):
                    continue
                pairs = way.of_result and not weight
                yield self._hypothesis(way, name, way.change(curve.function), weight, curve.calls, pairs=pairs)
            fitted = fitted_between(case, lambda slope, way=way: (way.change(leaky(slope)),), 0.0, STEEPEST)  # type: ignore[misc]
            for slope in shortened(fitted) if fitted and (way.of_input or not is_leaky) else ():
                change = way.change(leaky(slope))
                yield self._hypothesis(way, f"LeakyRelu {slope:.6g}", change, _FITTED, LEAKY_CALLS, fitted=1)

    def _hypothesis(
        self, way: _Way, name: str, change: ModelEdit, weight: int, calls: tuple[str, ...], *, pairs: bool = False,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            f"{name} {way.says}",
            f"Take {name} away: the model has none here.",
            {"activation": name},
            (change,),
            line=lines.call(*calls),
            weight=way.weight + weight / 100.0,
            in_pairs=pairs,
            fitted=fitted,
        )


def _ways(case: FailingPass) -> Iterator[_Way]:
    """The result; before and behind nodes; each input."""
    yield _Way("of the right result", output_through, 1.0, of_result=True)
    pointwise = case.redo.nodes_with(lambda facts: facts.pointwise or facts.by_channel)
    for node in pointwise:
        if case.redo.values[node.inputs[0]].dtype.kind == "b":
            continue  # a choice between two
        alone, says = facts_of(node).pointwise, f"before {node.op_type} '{node.name}'"
        yield _Way(says, lambda f, n=node, p=alone: node_of(case, n, f, pointwise=p), 1.3)  # type: ignore[misc]
    for node in case.redo.nodes[:-1]:
        is_real = case.redo.values[node.outputs[0]].dtype.kind != "b"
        if is_real and (case.redo.window(node) is not None or node in pointwise):
            says = f"behind {node.op_type} '{node.name}'"
            yield _Way(says, lambda f, n=node: NodeChange(n.name, _behind(case, f)), 1.31)  # type: ignore[misc]
    for read in case.activations():
        through = lambda f, t=read.tensor: input_through(t, f)  # noqa: E731
        yield _Way(f"of the input '{read.tensor}'", through, 1.6, of_input=True)


def _behind(case: FailingPass, function: Function):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(case.redo.run_node(node, inputs)), dtype=np.float32)

    return change
