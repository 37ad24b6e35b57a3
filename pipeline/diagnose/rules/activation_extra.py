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
from texelscope.pipeline.diagnose.trial.hypothesis import ANOTHER, ELSEWHERE, LESS_READ, Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import Array, Function, input_through, node_of, output_through
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# A fitted slope comes after a common factor of all values, which is simpler.
_FITTED = 70


@dataclass(frozen=True)
class _Way:
    """A place where values may pass through a curve: its description behind the curve's name, and its edit."""

    says: str
    change: Callable[[Function], ModelEdit]
    prior: float
    of_result: bool = False
    of_input: bool = False


class ActivationExtra(Rule):
    """An activation is applied that the model does not have: to the result, before another one, or to an input."""

    cause = "activation_extra"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        bends_values=True,
        denied_by_edits=frozenset({"applied", "before", "fewer turns", "more turns", "partner", "set"}),
        denied_by_reads=ELSEWHERE | ANOTHER | LESS_READ,
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes common curves, and a leaky ReLU of fitted slope, at every place where values pass through."""
        is_leaky = bool(case.model_slice.node("LeakyRelu"))  # a second one behind it only changes its slope
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
        self, way: _Way, name: str, change: ModelEdit, prior: int, calls: tuple[str, ...], *, pairs: bool = False,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            f"{name} {way.says}",
            f"Remove {name}: the model has none here.",
            {"activation": name},
            (change,),
            line=lines.call(*calls),
            prior=way.prior + prior / 100.0,
            in_pairs=pairs,
            fitted=fitted,
        )


def _ways(case: FailingPass) -> Iterator[_Way]:
    """Yields the result, the places before and after nodes, and each input."""
    yield _Way("of the right result", output_through, 1.0, of_result=True)
    pointwise = case.model_slice.nodes_with(lambda facts: facts.pointwise or facts.by_channel)
    for node in pointwise:
        if case.model_slice.values[node.inputs[0]].dtype.kind == "b":
            continue  # selects one of two values
        alone, says = facts_of(node).pointwise, f"before {node.op_type} '{node.name}'"
        yield _Way(says, lambda f, n=node, p=alone: node_of(case, n, f, pointwise=p), 1.3)  # type: ignore[misc]
    for node in case.model_slice.nodes[:-1]:
        is_real = case.model_slice.values[node.outputs[0]].dtype.kind != "b"
        if is_real and (case.model_slice.window(node) is not None or node in pointwise):
            says = f"after {node.op_type} '{node.name}'"
            yield _Way(says, lambda f, n=node: NodeChange(n.name, _behind(case, f)), 1.31)  # type: ignore[misc]
    for read in case.activations():
        through = lambda f, t=read.tensor: input_through(t, f)  # noqa: E731
        yield _Way(f"of the input '{read.tensor}'", through, 1.6, of_input=True)


def _behind(case: FailingPass, function: Function):  # type: ignore[no-untyped-def]
    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(case.model_slice.run_node(node, inputs)), dtype=np.float32)

    return change
