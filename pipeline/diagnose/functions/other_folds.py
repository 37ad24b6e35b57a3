"""Reductions by another fold, or along other axes: a maximum for a sum, a square of sums for a sum of squares."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.mistakes.reductions import Reduction, reductions
from pipeline.diagnose.redo.does_not_apply import DoesNotApplyError
from pipeline.diagnose.redo.redo import NodeChange, Redo, Values
from pipeline.diagnose.redo.softmax import Softmax, log_sums, softmax_of
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.facts import Rows

Array = NDArray[Any]

# [G, K] to [G].
FOLDS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "the largest": lambda x: x.max(axis=1),
        "the sum": lambda x: x.sum(axis=1),
        "the mean": lambda x: x.mean(axis=1),
        "the smallest": lambda x: x.min(axis=1),
        "the sum of squares": lambda x: np.square(x).sum(axis=1),
        "the mean of squares": lambda x: np.square(x).mean(axis=1),
        "the root of the sum of squares": lambda x: np.sqrt(np.square(x).sum(axis=1)),
        "the sum of magnitudes": lambda x: np.abs(x).sum(axis=1),
        "the mean of magnitudes": lambda x: np.abs(x).mean(axis=1),
        "the square of the sum": lambda x: np.square(x.sum(axis=1)),
        "the square of the mean": lambda x: np.square(x.mean(axis=1)),
    }
)
# What a softmax is divided by, as the logarithm of that for [G, K].
_DIVISORS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "divided by the largest power": lambda x: x.max(axis=1, keepdims=True),
        "not divided": lambda x: np.zeros((len(x), 1)),
        "divided by the count": lambda x: x.max(axis=1, keepdims=True) + np.log(x.shape[1]),
        "divided by the mean": lambda x: log_sums(x) - np.log(x.shape[1]),
        "divided by the largest": lambda x: np.log(x.max(axis=1, keepdims=True)),
        "divided by the sum of what goes in": lambda x: np.log(x.sum(axis=1, keepdims=True)),
    }
)
# What the powers of a softmax are in its numerator alone, of what is left of each element less the largest.
_POWERS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "without its power": lambda x: x,
        "with a power of two": np.exp2,
        "with the power of minus that": lambda x: np.exp(-x),
    }
)
_MOST_AXES = 4


@dataclass(frozen=True)
class Folded:
    """A node, in words what it does instead, and the change; `of_square` where a square before it is left out."""

    node: Node
    says: str
    change: NodeChange
    of_square: bool = False


def other_folds(case: Case) -> Iterator[Folded]:
    """For every reduction and softmax of the pass."""
    for reduction in reductions(case):
        softmax = softmax_of(case.redo, reduction.node)
        if softmax is None:
            yield from _of_reduction(case, reduction)
        else:
            yield from _of_softmax(case.redo, softmax)


def _of_reduction(case: Case, reduction: Reduction) -> Iterator[Folded]:
    redo, node, rows = case.redo, reduction.node, reduction.rows
    result = np.asarray(redo.values[node.outputs[0]])

    def change(fold: Callable[[Array], Array], rows: Rows, name: str) -> NodeChange:
        def changed(_node: Node, inputs: Values) -> Array:
            x = inputs[0] if name == node.inputs[0] else redo.values[name]
            made = np.asarray(fold(rows.of(np.asarray(x, dtype=np.float64))), dtype=np.float32)
            if made.size != result.size:
                raise DoesNotApplyError(node.name)
            return made.reshape(result.shape)

        return NodeChange(node.name, changed)

    base = _squared(redo, node)
    for says, fold in FOLDS.items():
        yield Folded(node, says, change(fold, rows, node.inputs[0]))
        if base:
            yield Folded(node, f"{says} of '{base}' without its square", change(fold, rows, base), of_square=True)
    own = next((fold for fold in FOLDS.values() if _is_same(fold, redo, node, rows)), None)
    if own is None:
        return
    for axes in _other_axes(rows):
        other = Rows(rows.view, axes)
        yield Folded(node, f"the same along axes {_listed(axes)} of {_sizes(rows)}", change(own, other, node.inputs[0]))


def _of_softmax(redo: Redo, softmax: Softmax) -> Iterator[Folded]:
    node = softmax.node
    shape = np.asarray(redo.values[node.outputs[0]]).shape
    for says, divisor in _DIVISORS.items():

        def changed(_node: Node, inputs: Values, divisor: Callable[[Array], Array] = divisor) -> Array:
            x = softmax.of(np.asarray(inputs[0]))
            return softmax.made(x, divisor(x)).reshape(shape)

        yield Folded(node, says, NodeChange(node.name, changed))
    for says, power in _POWERS.items() if softmax.share is np.exp else ():

        def above(_node: Node, inputs: Values, power: Callable[[Array], Array] = power) -> Array:
            x = softmax.of(np.asarray(inputs[0]))
            x = x - x.max(axis=1, keepdims=True)
            return np.asarray(softmax.rows.back(power(x) / np.exp(log_sums(x))), dtype=np.float32).reshape(shape)

        yield Folded(node, says, NodeChange(node.name, above))
    for axes in _other_axes(softmax.rows):
        other = Softmax(node, Rows(softmax.rows.view, axes), softmax.share)

        def along(_node: Node, inputs: Values, other: Softmax = other) -> Array:
            x = other.of(np.asarray(inputs[0]))
            return other.made(x, log_sums(x)).reshape(shape)

        says = f"the same along axes {_listed(axes)} of {_sizes(softmax.rows)}"
        yield Folded(node, says, NodeChange(node.name, along))


def _squared(redo: Redo, node: Node) -> str:
    """The tensor whose square the reduction takes, if that is what it takes."""
    maker = redo.makers.get(node.inputs[0])
    if maker is None or len(maker.inputs) < 2:
        return ""
    first, second = maker.inputs[:2]
    if maker.op_type == "Mul":
        return first if first == second else ""
    power = redo.values[second]
    is_square = maker.op_type == "Pow" and power.size == 1 and float(power.reshape(-1)[0]) == 2.0
    return first if is_square else ""


def _is_same(fold: Callable[[Array], Array], redo: Redo, node: Node, rows: Rows) -> bool:
    """Whether the fold is what the node does."""
    with np.errstate(all="ignore"):
        made = fold(rows.of(np.asarray(redo.values[node.inputs[0]], dtype=np.float64)))
    right = np.asarray(redo.values[node.outputs[0]]).reshape(-1)
    return made.size == right.size and np.allclose(made, right, rtol=1e-4, atol=1e-6)


def _other_axes(rows: Rows) -> Iterator[tuple[int, ...]]:
    """As many axes, one more or one less, of sizes that are not 1."""
    long = [axis for axis, size in enumerate(rows.view) if size > 1]
    for count in (len(rows.axes), len(rows.axes) + 1, len(rows.axes) - 1):
        for axes in itertools.combinations(long, count) if 0 < count <= len(long) <= _MOST_AXES else ():
            if axes != tuple(axis for axis in rows.axes if rows.view[axis] > 1):
                yield axes


def _listed(axes: tuple[int, ...]) -> str:
    return " and ".join(map(str, axes))


def _sizes(rows: Rows) -> str:
    return "x".join(map(str, rows.view))
