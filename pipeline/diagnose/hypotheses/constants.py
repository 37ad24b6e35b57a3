"""Proposes other constants of an activation, and other epsilons, which keep a division from zero.

A constant has common mistakes; a number that is none of them is fitted to the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number, shortened, shortest_between
from texelscope.pipeline.diagnose.fault_models.layer_parts import (
    ROOTLESS,
    ROOTS,
    normalisations,
    undone_to,
    with_attributes,
)
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, LineOf, Stage, nowhere
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, node_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.model_file.defaults import default_number
from texelscope.pipeline.operators.facts import Threshold
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

# Values of a constant that was left out. All others, except for common slips, are fitted.
_LEFT_OUT = (0.0, 1.0)
# Slopes differ if they are further apart than this share of the largest.
_TOLD = 1e-4


def _alpha(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes for each constant of a curve its default, none, common slips, and one fitted to the errors."""
    for node in case.model_slice.nodes:
        for name, right in _shaping(case, node):
            yield from _shapes(case, node, name, right)
        if node.op_type == "PRelu":
            yield from _slopes(case, node)
        if node.op_type == "Clip":
            yield from _bounds(case, node)
        if node.op_type == "Where":
            yield from _branches(case, node)


def _shapes(case: FailingPass, node: Node, name: str, right: float) -> Iterator[Hypothesis]:
    """Proposes other values of a number that shapes the node's curve."""
    default, window, change = default_number(node, name), _window(node), _with_attribute(case, node, name)
    slips = ([] if default is None else [default]) + _slips(right)
    if window > 1:
        slips += [right * window, right / window]
    threshold = facts_of(node).threshold
    is_cut = threshold is not None and threshold.attribute == name
    found = _cut(case, node, threshold) if is_cut and threshold else fitted_number(case, change, right)
    for value, fitted in _others(right, slips, found):
        says = f"{node.op_type} with {name} = {value:.6g} instead of {right:.6g}"
        yield _another(
            says, change(value), {"expected": right, "got": value}, line=_written_as(value, value / window),
            fitted=fitted, in_pairs=value == default,
        )  # fmt: skip


def _another(says: str, change: ModelEdit, parameters: Mapping[str, Any], **rest: Any) -> Hypothesis:
    return Hypothesis(causes.ALPHA, says, (change,), parameters, **rest)


def _written_as(*values: float) -> LineOf:
    return lines.first(lines.written(*values), lines.activation)


def _branches(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes other factors in one branch of a Where, such as the slope below zero in a backward pass."""
    makers = (case.model_slice.makers.get(name) for name in node.inputs[1:])
    products = [maker for maker in makers if maker is not None and maker.op_type == "Mul"]
    for name in (name for maker in products for name in maker.inputs if name in case.model_slice.constants):
        held = case.model_slice.values[name]
        if held.size != 1 or held.dtype.kind != "f":
            continue
        right, filled = float(f"{float(held.reshape(-1)[0]):.7g}"), _filled(name)
        for value, fitted in _others(right, _slips(right), fitted_number(case, filled, right)):
            says = f"the factor {value:.6g} instead of {right:.6g} in one branch of Where '{node.name}'"
            parameters, line = {"expected": right, "got": value}, _written_as(value)
            yield _another(says, filled(value), parameters, line=line, fitted=fitted, prior=1.05)


def _slopes(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes slopes of a PRelu: one value for all channels, or that of another channel."""
    name = node.inputs[1]
    slope, filled = np.asarray(case.model_slice.values[name]), _filled(name)
    for value, fitted in _once(_LEFT_OUT, fitted_number(case, filled, float(np.median(slope)))):
        says, line = f"the slope {value:.6g} for every channel", _written_as(value)
        yield _another(says, filled(value), {"got": value}, line=line, fitted=fitted)
    there = _slopes_there(case, node)
    if there is not None and 0 < (other := np.flatnonzero(there != slope.reshape(-1))).size < slope.size:
        said = " and ".join(f"{there[at]:.6g} instead of {slope.reshape(-1)[at]:.6g}" for at in other[:3])
        yield _another(
            f"the slope {said} for channel {', '.join(map(str, other[:3]))}", constant_as(name, lambda _old: there),
            {"channels": other.tolist(), "got": float(there[other[0]])}, line=_written_as(*map(float, there[other])),
            fitted=other.size, prior=1.25,
        )  # fmt: skip
    for says, indices in _dealt(slope.size):
        change = constant_as(name, lambda old, at=indices: old.reshape(-1)[at])  # type: ignore[misc]
        yield _another(
            f"for channel c the slope {says}", change, {"index": says}, remedy="Index the slopes by channel.",
            line=lines.read(name), prior=1.1,
        )  # fmt: skip


def _bounds(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes bounds of a Clip: the smallest and largest value in the result, or others that fit."""
    values = case.model_slice.inputs_of(node)
    actual = case.actual[np.isfinite(case.actual)]
    if not actual.size:
        return
    for position, name, seen in ((1, "min", actual.min()), (2, "max", actual.max())):
        bound = values[position] if position < len(values) else None
        if bound is None:
            continue
        right, filled = float(bound), _filled(node.inputs[position])
        for got in dict.fromkeys((float(seen), *fitted_number(case, filled, right))):
            says = f"Clip with {name} = {got:.6g} instead of {right:.6g}"
            yield _another(says, filled(got), {"expected": right, "got": got}, line=_written_as(got), fitted=1)


def _slopes_there(case: FailingPass, node: Node) -> Array | None:
    """Returns each channel's slope, computed from the values below zero; the model's where equal or unknown."""
    made, (x, slope) = undone_to(case, case.actual, node), case.model_slice.inputs_of(node)[:2]
    right = np.asarray(slope).reshape(-1)
    if made is None or x is None or x.ndim != 4 or right.size != x.shape[1]:
        return None
    below = np.where(x < 0.0, made.reshape(x.shape) / x, np.nan)
    own = (values[np.isfinite(values)] for values in np.moveaxis(below, 1, 0))
    told = np.array([np.median(values) if values.size else known for values, known in zip(own, right, strict=True)])
    is_other = np.abs(told - right) > _TOLD * np.abs(right).max()
    return np.where(is_other, [shortened(float(each))[0] for each in told], right).astype(np.float32)


def _dealt(count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    index = np.arange(count)
    for offset in (1, -1, 2, -2):
        yield f"c {offset:+d}", (index + offset) % count
        yield f"c {offset:+d}, clamped at the ends", np.clip(index + offset, 0, count - 1)
    for which in range(min(count, 4)):
        yield f"{which}", np.full(count, which)
    yield "(count - 1) - c", index[::-1]


def _shaping(case: FailingPass, node: Node) -> Iterator[tuple[str, float]]:
    """Yields name and value of each number that shapes the node's curve."""
    for name in facts_of(node).shaped_by:
        value = case.model_slice.call(node).attribute(name)
        if value is not None:
            yield name, float(value)


def _window(node: Node) -> int:
    """Returns by what the shader may divide the constant where it is written: the window size of a normalisation."""
    return int(node.attributes.get("size", 1))


def _slips(right: float) -> list[float]:
    """Returns common mistakes for a number: left out, negated, inverted, a digit off."""
    return [*_LEFT_OUT, -right, 1.0 / right if right else 1.0, 1.0 - right, right / 10.0, right * 10.0]


def _others(
    right: float, known: Iterable[float], found: Iterable[float], atol: float = 1e-8
) -> Iterator[tuple[float, int]]:
    """Yields known and fitted numbers that differ from the right one, each with 1 if it is only fitted."""
    return (each for each in _once(known, found) if not np.isclose(each[0], right, rtol=1e-6, atol=atol))


def _once(known: Iterable[float], found: Iterable[float]) -> list[tuple[float, int]]:
    """Returns each number once, with 1 for those that are fitted and not among the known ones."""
    known = tuple(known)
    return [(value, int(value not in known)) for value in dict.fromkeys((*known, *found))]


def _with_attribute(case: FailingPass, node: Node, name: str) -> Callable[[float], ModelEdit]:
    alone = facts_of(node).pointwise
    return lambda value: node_as(case, node, with_attributes(node, **{name: value}), pointwise=alone)


def _filled(tensor: str) -> Callable[[float], ModelEdit]:
    return lambda value: constant_as(tensor, lambda old: np.full_like(old, value))


def _cut(case: FailingPass, node: Node, threshold: Threshold) -> list[float]:
    """Returns a number between the largest element that became zero and the smallest that did not."""
    made = undone_to(case, case.actual, node)
    if made is None:
        return []
    x = np.asarray(case.model_slice.inputs_of(node)[0], dtype=np.float64).reshape(-1)
    size = threshold.size(x)
    gone, kept = size[made == 0.0], size[np.isfinite(made) & (made != 0.0)]
    if not gone.size or not kept.size or gone.max() >= kept.min():
        return []
    return [shortest_between(float(gone.max()), float(kept.min()))]


# The largest constant under a root that still counts as an epsilon.
_LARGEST = 0.1
_UNDER, _BELOW = "√(v + ε)", "v + ε"
_REMEDIES = {_UNDER: "Add {right:.6g} to the variance, under the root.", _BELOW: "Add {right:.6g} to the divisor."}
# Epsilons as people write them: none, and powers of ten.
_WRITTEN = (0.0, *(float(f"1e-{digits}") for digits in range(13)))


def _epsilon(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes powers of ten, errors of one or two digits, one fitted to the errors, and one outside the root."""
    called = "the normalisation" if case.model_slice.node("Normalise") else "BatchNormalization"
    for found in normalisations(case):
        right, root = found.epsilon, found.root
        change = lambda value, found=found: found.change(epsilon=value)  # noqa: E731
        yield from _epsilons(case, f"{called} with", right, root, change)
        for other in (each for each in ROOTS if each not in (root, *ROOTLESS)):
            says = f"{called} divides by {other} with ε = {right:.6g} instead of {root}"
            got = right if "ε" in other else 0.0
            yield _of_epsilon(says, right, root, got, found.change(root=other), prior=1.1)
    for node in case.model_slice.node("Sqrt"):
        yield from _written_out(case, node)
    for node in case.model_slice.node("Div"):
        yield from _below(case, node)
    yield from _folded(case)


def _epsilons(
    case: FailingPass, where: str, right: float, root: str, change: Callable[[float], ModelEdit]
) -> Iterator[Hypothesis]:
    """Proposes other epsilons in place of the right one."""
    for value, fitted in _others(right, _as_written(right), fitted_number(case, change, right), atol=0.0):
        says = f"{where} epsilon = {value:.6g} instead of {right:.6g}"
        yield _of_epsilon(says, right, root, value, change(value), fitted=fitted)


def _as_written(right: float) -> tuple[float, ...]:
    """Returns epsilons that people write: common ones, and errors of a digit or two."""
    return (*_WRITTEN, right * 10, right / 10, right * 100)


def _written_out(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes the root of a sum with a small constant, made of a variance by nodes of the graph."""
    right = _small_summand(case, node.inputs[0])
    if not right:
        return

    def change(value: float, root: str = _UNDER) -> NodeChange:
        def changed(_node: Node, inputs: Sequence[Array | None]) -> Array:
            summed = np.asarray(inputs[0], dtype=np.float64)
            return np.asarray(ROOTS[root](summed - right, value), dtype=np.float32)

        return NodeChange(node.name, changed)

    yield from _epsilons(case, "the root with", right, _UNDER, change)
    for root in (each for each in ROOTS if each not in (_UNDER, *ROOTLESS)):
        says = f"{root} with ε = {right:.6g} instead of {_UNDER}"
        yield _of_epsilon(says, right, _UNDER, right, change(right, root), prior=1.1)


def _below(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes a quotient with another small constant in its divisor, or added to the quotient instead."""
    right = _small_summand(case, node.inputs[1])
    if not right:
        return

    def change(value: float, behind: float = 0.0) -> NodeChange:
        def changed(_node: Node, inputs: Sequence[Array | None]) -> Array:
            above, below = (np.asarray(each, dtype=np.float64) for each in inputs[:2])
            return np.asarray(above / (below - right + value) + behind, dtype=np.float32)

        return NodeChange(node.name, changed)

    yield from _epsilons(case, "the quotient with", right, _BELOW, change)
    says = f"the quotient with ε = {right:.6g} added after the division"
    yield _of_epsilon(says, right, _BELOW, right, change(0.0, right))


def _folded(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes factors of channels, scale / √(variance + ε), that are computed in advance."""
    graph, constants = case.model_slice.graph, case.model_slice.constants
    if graph is None:
        return
    for node in graph.nodes:
        if node.op_type != "BatchNormalization" or any(name not in constants for name in node.inputs[1:5:3]):
            continue
        scale, spread = (constants[name].astype(np.float64).reshape(-1) for name in node.inputs[1:5:3])
        right = float(node.attributes.get("epsilon", 1e-5))
        factor = scale / np.sqrt(spread + right)
        for name, held in [*case.model_slice.values.items()]:
            if name not in constants or held.size != factor.size or held.dtype.kind != "f":
                continue
            if np.allclose(held.reshape(-1), factor, rtol=1e-5, atol=0.0):
                yield from _factors(name, scale, spread, right)


def _factors(name: str, scale: Array, spread: Array, right: float) -> Iterator[Hypothesis]:
    for value, _ in _others(right, _as_written(right), (), atol=0.0):
        says = f"the factors of channels with epsilon = {value:.6g} instead of {right:.6g}"
        with np.errstate(all="ignore"):
            other = scale / np.sqrt(spread + value)
        change = constant_as(name, lambda old, v=other: v.astype(old.dtype))  # type: ignore[misc]
        yield _of_epsilon(says, right, _UNDER, value, change)


def _of_epsilon(says: str, right: float, root: str, got: float, change: ModelEdit, **rest: Any) -> Hypothesis:
    remedy = _REMEDIES.get(root, "Add {right:.6g} to the deviation, outside the root.").format(right=right)
    line = lines.first(lines.written(got) if got != right else nowhere, lines.root_or_division)
    parameters = {"expected": right, "got": got}
    return Hypothesis(causes.EPSILON, says, (change,), parameters, remedy=remedy, line=line, **rest)


def _small_summand(case: FailingPass, tensor: str) -> float:
    """Returns the one small constant that is added to make a tensor; 0 if there is none."""
    maker = case.model_slice.makers.get(tensor)
    constants = [name for name in maker.inputs if name in case.model_slice.constants] if maker else []
    if maker is None or maker.op_type != "Add" or len(constants) != 1:
        return 0.0
    held = case.model_slice.values[constants[0]]
    value = float(f"{float(held.reshape(-1)[0]):.6g}") if held.size == 1 else 0.0
    return value if 0.0 < value <= _LARGEST else 0.0


GENERATORS = (Generator(causes.ALPHA, Stage.PARTS, _alpha), Generator(causes.EPSILON, Stage.PARTS, _epsilon))
