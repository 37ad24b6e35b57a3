"""Causes that are an activation too many or too few: the wrong values passed one more curve, or did not pass one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import CURVES, LEAKY_CALLS, STEEPEST, leaky, may_have_made
from texelscope.pipeline.diagnose.fault_models.fits import fitted_between, shortened
from texelscope.pipeline.diagnose.fault_models.layer_parts import ROOTLESS, activations, normalised
from texelscope.pipeline.diagnose.fault_models.region import in_parts
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Rule,
    Stage,
)
from texelscope.pipeline.diagnose.trial.model_edits import (
    Array,
    Function,
    input_through,
    node_of,
    node_skipped,
    output_through,
)
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

# A fitted slope comes after a common factor of all values, which is simpler.
_FITTED = 70
# Samples of a function, and by how much of its largest value one must be off a straight line to count as bent.
_LOOKED_AT, _BENT = 512, 1e-3


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

    cause = causes.ACTIVATION_EXTRA
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes common curves, and a leaky ReLU of fitted slope, at every place where values pass through."""
        is_leaky = bool(case.model_slice.node("LeakyRelu"))  # a second one behind it only changes its slope
        for way in _ways(case):
            for weight, (name, curve) in enumerate(CURVES.items()):
                if is_leaky and not way.of_input and name.startswith("LeakyRelu"):
                    continue
                if not may_have_made(case, curve):
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


class ActivationMissing(Rule):
    """An activation, or another function of one value, is not applied."""

    cause = causes.ACTIVATION_MISSING
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes each activation of the pass, then every other function of one value; everywhere, then in parts."""
        curves = activations(case)
        others = [node for node in case.model_slice.nodes if node not in curves]
        for weight, node in enumerate((*curves, *others)):
            position = _position(case, node)
            if position is None:
                if node not in curves:
                    continue
                position = 0
            whole = Hypothesis(
                self.cause,
                f"the values before {node.op_type} '{node.name}'",
                f"Apply {node.op_type} to the result.",
                {"activation": node.op_type},
                (node_skipped(node, position),),
                line=lines.result if node in case.model_slice.tail() else lines.before_sum(node.inputs[position]),
                prior=1.0 if node in curves else 0.9 + weight / 1000.0,
                in_pairs=True,
            )
            yield whole
            yield from in_parts(case, whole)
        for found in filter(None, (normalised(case, node) for node in case.model_slice.nodes)):
            for root in ROOTLESS:
                yield Hypothesis(
                    self.cause, f"a normalisation divided by {root}, not by {found.root}", f"Divide by {found.root}.",
                    {"activation": "Sqrt"}, (found.change(root=root),),
                    line=lines.first(lines.called("sqrt", "inversesqrt", "pow"), lines.division),
                )  # fmt: skip


def _position(case: FailingPass, node: Node) -> int | None:
    """Returns which input passes through if the node is left out; None if it is no function of one value."""
    if _is_from(case, node):
        return 1
    made = dict.fromkeys(name for name in node.inputs if name)
    if not made or not facts_of(node).pointwise or facts_of(node).keeps_order:
        return None
    graph = case.model_slice.graph
    free = [
        name for name in made if graph is None or name not in graph.constants or case.model_slice.values[name].size > 1
    ]
    if len(made) > 1 and len(free) != 1:
        return None
    position = node.inputs.index(free[0]) if free else 0
    is_alone = len([name for name in node.inputs if name]) == 1
    return position if is_alone or _bends(case, node, position) else None


def _bends(case: FailingPass, node: Node, position: int) -> bool:
    """Whether a function of a number and constants, such as a square or min(x, 0), is not a straight line."""
    x, y = case.model_slice.inputs_of(node)[position], case.model_slice.values[node.outputs[0]]
    if x is None or x.shape != y.shape or x.dtype.kind != "f" or y.dtype.kind != "f" or not x.size:
        return False
    some = slice(None, None, max(x.size // _LOOKED_AT, 1))
    given, made = x.reshape(-1)[some].astype(np.float64), y.reshape(-1)[some].astype(np.float64)
    with np.errstate(all="ignore"):
        line = np.stack([given, np.ones_like(given)], axis=1)
        if not (np.isfinite(line).all() and np.isfinite(made).all()):
            return False
        left = made - line @ np.linalg.lstsq(line, made, rcond=None)[0]
    return bool(np.abs(left).max() > _BENT * np.abs(made).max())


def _is_from(case: FailingPass, node: Node) -> bool:
    """Whether the node subtracts a number from, or divides it into, a constant, such as 1 - x."""
    graph = case.model_slice.graph
    held = [name for name in node.inputs[:1] if graph is not None and name in graph.constants]
    return bool(held) and facts_of(node).is_ordered and case.model_slice.values[held[0]].size == 1
