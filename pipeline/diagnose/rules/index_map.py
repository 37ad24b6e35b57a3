"""Causes that solved index formulas show: a pass reads other elements, pairs wrong factors, or counts products twice.

Nodes that move elements have other orders too: axes split or joined in another order, diagonals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.error_pattern import listed
from texelscope.pipeline.diagnose.index_maps.classify import ShapeRule, axes_of_weights
from texelscope.pipeline.diagnose.index_maps.decoded_probes import (
    CountedProducts,
    counted_of,
    counted_otherwise,
    taps_of,
)
from texelscope.pipeline.diagnose.index_maps.solving import IndexMap
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Proposing,
    Rule,
    Stage,
)
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
How = Callable[[Node, Values], Array]
# Axes are split into, or joined from, at most this many; so are parts of a concatenation.
_MOST = 3


def dealt_otherwise(case: FailingPass) -> Iterator[tuple[str, tuple[ModelEdit, ...]]]:
    """Yields a description and the edits: first for all nodes of the same movement together, then for each."""
    alike: dict[str, list[NodeChange]] = {}
    for node in case.model_slice.nodes:
        for says, how in _orders(case, node) if facts_of(node).moves else ():
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
    elif node.op_type == "Concat" and len(node.inputs) <= _MOST:
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
        if min(len(some), len(others)) == 1 < max(len(some), len(others)) <= _MOST:
            yield before, tuple(some), tuple(others)
        before *= math.prod(some)


class IndexMapRule(ShapeRule):
    """Elements are read at other places, by an index formula that no other cause names."""

    cause = causes.INDEX_MAP
    stage = Stage.READS

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """A single formula is seen and comes first; other formulas come after the causes that no formula expresses.

        Those are a whole texture turned, or elements written elsewhere.
        """
        return ((Stage.DRAWING, self._simple), (self.stage, self._other))

    def _simple(self, case: FailingPass) -> Iterator[Hypothesis]:
        return self.seen(case, _is_simple)

    def _other(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        yield from self.seen(case, lambda found: not _is_simple(found))
        for softmax in softmaxes(case.model_slice):
            for axis, rows in softmax.first_rows():
                says = f"{softmax.node.op_type} uses the sums of the first position along axis {axis} for all"
                change = softmax.with_sums_of(rows)
                told = {"axis": axis}
                yield Hypothesis(self.cause, says, self.cause.remedy, told, (change,), line=lines.summand(), prior=1.4)
        for number, (says, taken) in enumerate(dealt_otherwise(case)):
            weight = 1.5 + number / 1000.0
            yield Hypothesis(self.cause, says, self.cause.remedy, {}, taken, line=lines.result, prior=weight)


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}


class WrongPartner(ShapeRule):
    """Products multiply elements of two tensors, or of two parts of one, that do not belong together."""

    cause = causes.WRONG_PARTNER
    stage = Stage.READS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes what probes showed."""
        return self.seen(case)


class DoubleCounted(Rule):
    """Some products are added more than once: by overlapping steps, or by a remainder loop that starts too early."""

    cause = causes.DOUBLE_COUNTED
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes products that designed inputs show several times, where an index of the weights identifies them."""
        yield from solved(case, self.cause)
        times = taps_of(case)
        if times is not None and times.max() > 1:
            yield counted_otherwise(case, self.cause, times, "Add every position once.")
        for found in counted_of(case):
            if found.times > 1 and found.of_weights:
                yield self._hypothesis(case, found)

    def _hypothesis(self, case: FailingPass, found: CountedProducts) -> Hypothesis:
        tensor, names = axes_of_weights(case)
        axis = "nchw".index(found.axis)

        def change(value):  # type: ignore[no-untyped-def]
            of = axis - (4 - value.ndim)
            times = np.ones(value.shape[of], dtype=value.dtype)
            times[list(found.places)] = found.times
            return value * times.reshape([-1 if number == of else 1 for number in range(value.ndim)])

        name = names.get(found.axis, found.axis)
        places = ", ".join(map(str, found.places))
        return Hypothesis(
            self.cause,
            f"adds the products of {name} {places} {found.times} times, as designed inputs show",
            "Add every product once: check where each loop starts and its step.",
            {"axis": name, "places": list(found.places), "times": found.times},
            (InputChange(tensor, change),),
            line=lines.summand(),
        )
