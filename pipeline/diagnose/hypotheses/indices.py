"""Proposes index maps, solved or guessed, and orders in which nodes move elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.fault_models.error_pattern import listed
from texelscope.pipeline.diagnose.fault_models.moved import moved_output, ordered
from texelscope.pipeline.diagnose.index_maps.classify import seen
from texelscope.pipeline.diagnose.index_maps.enumerated import guessed
from texelscope.pipeline.diagnose.index_maps.solving import IndexMap
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.operators.families.registry import facts_of


@dataclass(frozen=True)
class _Limits:
    """Bounds the search for another order."""

    channels: int = 1024  # channels of an arbitrary order: with more, all pairs take too long
    samples: int = 24  # elements of a channel by which it is recognised
    axes: int = 3  # axes that one is split into or joined from, and parts of a concatenation: all orders are tried


_LIMITS = _Limits()


def _solved_or_guessed(cause: Cause, stage: Stage) -> tuple[Generator, Generator]:
    """Returns the generators of a cause that is a shape of an index map.

    Maps of that shape that formulas show come with what is observed on GL itself; weights in the text and common maps
    later.
    """

    def later(case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, cause)
        yield from guessed(case, cause)

    return Generator(cause, Stage.DRAWING, lambda case: seen(case, cause)), Generator(cause, stage, later)


def _fitting_order(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes for the output the order of channels that fits."""
    order = _matching(case)
    if order is None:
        return
    change, fitted = moved_output(case, ordered(order), "zero"), int((order != np.arange(len(order))).sum())
    prior = 0.5 if case.writes_otherwise else 1.3
    yield Hypothesis(
        causes.CHANNEL_PERMUTATION, "writes the channels in another order", (change,), {"order": order[:16].tolist()},
        line=lines.target, prior=prior, fitted=fitted,
    )  # fmt: skip


def _matching(case: FailingPass) -> NDArray[np.int64] | None:
    """Returns for each channel the one whose right values it holds, if that is a permutation; -1 for zeros.

    Each channel's choice, on which at least four elements agree, counts as a fitted number.
    """
    _, C, H, W = case.dims
    if not 2 <= C <= _LIMITS.channels or H * W < 4:
        return None
    chosen = np.random.default_rng(0).choice(H * W, size=min(_LIMITS.samples, H * W), replace=False)
    actual = case.actual[0].reshape(C, -1)[:, chosen]
    expected = case.expected[0].reshape(C, -1)[:, chosen]
    if not np.isfinite(actual).all():
        return None
    distance = np.zeros((C, C))
    for sample in range(len(chosen)):  # one sample at a time: C² of each fills enough memory
        distance = np.maximum(distance, np.abs(actual[:, sample, None] - expected[None, :, sample]))
    order = distance.argmin(axis=1)
    near = distance[np.arange(C), order] <= 1e-4 * max(float(np.abs(expected).max()), 1e-30)
    empty = ~near & ~actual.any(axis=1)
    order = np.where(empty, -1, order)
    proper = len(np.unique(order)) == C and empty.sum() <= 1 and not np.array_equal(order, np.arange(C))
    return order if (near | empty).all() and proper and (near & (order != np.arange(C))).any() else None


Array = NDArray[Any]
How = Callable[[Node, Values], Array]


def dealt_otherwise(case: FailingPass) -> Iterator[tuple[str, tuple[ModelEdit, ...]]]:
    """Yields a description and the edits: first for all nodes of the same movement together, then for each."""
    alike: dict[str, list[NodeChange]] = {}
    for node in case.model_slice.nodes_with(lambda facts: facts.moves):
        for says, how in _orders(case, node):
            alike.setdefault(says, []).append(NodeChange(node.name, how))
    made = {node.name: node.outputs[0] for node in case.model_slice.nodes}
    for says, changes in alike.items():
        for some in (changes, *([each] for each in changes if len(changes) > 1)):
            names = [f"'{made[each.node]}'" for each in some]
            yield f"{listed(names)} {says}", tuple(some)


def _orders(case: FailingPass, node: Node) -> Iterator[tuple[str, How]]:
    shapes = [case.model_slice.values[name].shape for name in (*node.inputs, node.outputs[0]) if name]
    if facts_of(node).keeps_order:
        for before, one, other in _regrouped(shapes[0], shapes[-1]):
            for order in itertools.permutations(range(max(len(one), len(other)))):
                if order != tuple(sorted(order)):
                    yield _of_axis(shapes[-1], before, one, other, order)
    elif node.op_type == "Concat" and len(node.inputs) <= _LIMITS.axes:
        for parts in itertools.permutations(range(len(node.inputs))):
            if parts != tuple(sorted(parts)):
                yield (
                    f"concatenated in the order {', '.join(map(str, parts))}",
                    lambda same, inputs, parts=parts: case.model_slice.run_node(same, [inputs[part] for part in parts]),  # type: ignore[misc]
                )


def _of_axis(shape: Shape, before: int, one: Shape, other: Shape, order: Sequence[int]) -> tuple[str, How]:
    """Returns an axis split into several (or joined from them), of which the first of `order` is the slowest."""
    sizes = max(one, other, key=len)
    dealt, by = [sizes[axis] for axis in order], [0, *(1 + axis for axis in order), 1 + len(order)]

    def split(x: Array) -> Array:
        return x.reshape(before, *dealt, -1).transpose(np.argsort(by))

    def joined(x: Array) -> Array:
        return x.reshape(before, *sizes, -1).transpose(by)

    names = " x ".join(map(str, dealt)), " x ".join(map(str, sizes))
    move = split if len(other) > 1 else joined
    return f"in the order {names[0]}, not {names[1]}", lambda _, inputs: move(np.asarray(inputs[0])).reshape(shape)


def _regrouped(one: Shape, other: Shape) -> Iterator[tuple[int, Shape, Shape]]:
    """Yields axes of one shape that are split into several of the other, or joined, and the elements before them."""
    left, right = ([size for size in shape if size != 1] for shape in (one, other))
    before = 1
    while left and right:
        some, others = [left.pop(0)], [right.pop(0)]
        while math.prod(some) != math.prod(others):
            fewer, rest = (some, left) if math.prod(some) < math.prod(others) else (others, right)
            fewer.append(rest.pop(0))
        if min(len(some), len(others)) == 1 < max(len(some), len(others)) <= _LIMITS.axes:
            yield before, tuple(some), tuple(others)
        before *= math.prod(some)


def _simple_map(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes a single formula, which is seen."""
    return seen(case, causes.INDEX_MAP, _is_simple)


def _other_map(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes other formulas: after the causes that no formula expresses.

    Those are a whole texture turned, or elements written elsewhere.
    """
    cause = causes.INDEX_MAP
    yield from solved(case, cause)
    yield from seen(case, cause, lambda found: not _is_simple(found))
    for softmax in softmaxes(case.model_slice):
        for axis, rows in softmax.first_rows():
            says = f"{softmax.node.op_type} uses the sums of the first position along axis {axis} for all"
            yield Hypothesis(
                cause, says, (softmax.with_sums_of(rows),), {"axis": axis}, line=lines.summand(), prior=1.4
            )
    for number, (says, changes) in enumerate(dealt_otherwise(case)):
        yield Hypothesis(cause, says, changes, line=lines.result, prior=1.5 + number / 1000.0)


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}


GENERATORS = (
    *_solved_or_guessed(causes.SHIFT, Stage.WINDOW),
    *_solved_or_guessed(causes.STRIDE, Stage.WINDOW),
    *_solved_or_guessed(causes.DILATION, Stage.WINDOW),
    *_solved_or_guessed(causes.KERNEL_FLIP, Stage.WINDOW),
    *_solved_or_guessed(causes.KERNEL_TRANSPOSE, Stage.WINDOW),
    *_solved_or_guessed(causes.FILTER_IO_SWAP, Stage.WINDOW),
    *_solved_or_guessed(causes.FILTER_OFFSET, Stage.WINDOW),
    *_solved_or_guessed(causes.GROUP_IGNORED, Stage.WINDOW),
    *_solved_or_guessed(causes.FLIP_X, Stage.PLACES),
    *_solved_or_guessed(causes.FLIP_Y, Stage.PLACES),
    *_solved_or_guessed(causes.TRANSPOSE_XY, Stage.PLACES),
    *_solved_or_guessed(causes.CHANNEL_PERMUTATION, Stage.PLACES),
    Generator(causes.CHANNEL_PERMUTATION, Stage.PLACES, _fitting_order),
    Generator(causes.INDEX_MAP, Stage.DRAWING, _simple_map),
    Generator(causes.INDEX_MAP, Stage.READS, _other_map),
    Generator(causes.WRONG_PARTNER, Stage.DRAWING, lambda case: seen(case, causes.WRONG_PARTNER)),
)
