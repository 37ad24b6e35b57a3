"""Proposes an activation too many or too few: the values passed one more curve, or did not pass one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.curves import CURVES, LEAKY_CALLS, STEEPEST, leaky, may_have_made
from texelscope.pipeline.diagnose.fault_models.fits import fitted_between, shortened, spread_out
from texelscope.pipeline.diagnose.fault_models.layer_parts import ROOTLESS, activations, normalisations
from texelscope.pipeline.diagnose.fault_models.region import with_parts
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import (
    Function,
    input_through,
    node_of,
    node_skipped,
    node_through,
    output_through,
)
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of


@dataclass(frozen=True)
class _Limits:
    """Says what counts as another curve."""

    # Place of a fitted slope among the curves: behind a common factor of all values, which is simpler.
    fitted_place: int = 70
    bent: float = 1e-3  # share of its largest value by which a function leaves a straight line


_LIMITS = _Limits()


@dataclass(frozen=True)
class _Way:
    """A place where values may pass through a curve: its description behind the curve's name, and its edit."""

    says: str
    change: Callable[[Function], ModelEdit]
    prior: float
    of_result: bool = False
    of_input: bool = False


def _extra(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes common curves, and a leaky ReLU of fitted slope, at every place where values pass through."""
    is_leaky = bool(case.model_slice.node("LeakyRelu"))  # a second one behind it only changes its slope
    for way in _ways(case):
        for number, (name, curve) in enumerate(CURVES.items()):
            if may_have_made(case, curve):
                found = _through(way, name, curve.function, curve.calls, number)
                yield replace(found, in_pairs=way.of_result and not number)
        fitted = fitted_between(case, lambda slope, way=way: (way.change(leaky(slope)),), 0.0, STEEPEST)  # type: ignore[misc]
        if not fitted or (is_leaky and not way.of_input):
            continue
        for slope in shortened(fitted):
            found = _through(way, f"LeakyRelu {slope:.6g}", leaky(slope), LEAKY_CALLS, _LIMITS.fitted_place)
            yield replace(found, fitted=1)


def _through(way: _Way, name: str, function: Function, calls: tuple[str, ...], number: int) -> Hypothesis:
    return Hypothesis(
        causes.ACTIVATION_EXTRA, f"{name} {way.says}", (way.change(function),), {"activation": name},
        remedy=f"Remove {name}: the model has none here.", line=lines.call(*calls), prior=way.prior + number / 100.0,
    )  # fmt: skip


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
            yield _Way(says, lambda f, n=node: node_through(case, n, f), 1.31)  # type: ignore[misc]
    for read in case.activations():
        through = lambda f, t=read.tensor: input_through(t, f)  # noqa: E731
        yield _Way(f"of the input '{read.tensor}'", through, 1.6, of_input=True)


def _missing(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes each activation of the pass, then every other function of one value; everywhere, then in parts."""
    curves = activations(case)
    others = [node for node in case.model_slice.nodes if node not in curves]
    for number, node in enumerate((*curves, *others)):
        position = _position(case, node)
        if position is None and node not in curves:
            continue
        position = position or 0
        line = lines.result if node in case.model_slice.tail() else lines.before_sum(node.inputs[position])
        whole = Hypothesis(
            causes.ACTIVATION_MISSING, f"the values before {node.op_type} '{node.name}'",
            (node_skipped(node, position),), {"activation": node.op_type},
            remedy=f"Apply {node.op_type} to the result.", line=line,
            prior=1.0 if node in curves else 0.9 + number / 1000.0, in_pairs=True,
        )  # fmt: skip
        yield from with_parts(case, whole)
    for found, root in itertools.product(normalisations(case), ROOTLESS):
        says, change = f"a normalisation divided by {root}, not by {found.root}", found.change(root=root)
        yield Hypothesis(
            causes.ACTIVATION_MISSING, says, (change,), {"activation": "Sqrt"}, remedy=f"Divide by {found.root}.",
            line=lines.root_or_division,
        )  # fmt: skip


def _position(case: FailingPass, node: Node) -> int | None:
    """Returns which input passes through if the node is left out; None if it is no function of one value."""
    if _is_from(case, node):
        return 1
    made = dict.fromkeys(name for name in node.inputs if name)
    if not made or not facts_of(node).pointwise or facts_of(node).keeps_order:
        return None
    constants = case.model_slice.constants
    free = [name for name in made if name not in constants or case.model_slice.values[name].size > 1]
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
    given, made = spread_out(x).astype(np.float64), spread_out(y).astype(np.float64)
    with np.errstate(all="ignore"):
        line = np.stack([given, np.ones_like(given)], axis=1)
        if not (np.isfinite(line).all() and np.isfinite(made).all()):
            return False
        left = made - line @ np.linalg.lstsq(line, made, rcond=None)[0]
    return bool(np.abs(left).max() > _LIMITS.bent * np.abs(made).max())


def _is_from(case: FailingPass, node: Node) -> bool:
    """Whether the node subtracts a number from, or divides it into, a constant, such as 1 - x."""
    held = [name for name in node.inputs[:1] if name in case.model_slice.constants]
    return bool(held) and facts_of(node).is_ordered and case.model_slice.values[held[0]].size == 1


GENERATORS = (
    Generator(causes.ACTIVATION_EXTRA, Stage.PARTS, _extra),
    Generator(causes.ACTIVATION_MISSING, Stage.PARTS, _missing),
)
