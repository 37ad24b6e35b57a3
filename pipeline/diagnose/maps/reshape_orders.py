"""Elements that moving nodes deal out in another order: split axes and joined ones, parts put together, diagonals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.pattern import listed
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
How = Callable[[Node, Values], Array]
# Axes that are split into, or put together from, so many; parts that are put together.
_MOST = 3


def dealt_otherwise(case: FailingPass) -> Iterator[tuple[str, tuple[ModelEdit, ...]]]:
    """In words, and the changes: all nodes that move alike together, then each."""
    alike: dict[str, list[NodeChange]] = {}
    for node in case.redo.nodes:
        for says, how in _orders(case, node) if facts_of(node).moves else ():
            alike.setdefault(says, []).append(NodeChange(node.name, how))
    made = {node.name: node.outputs[0] for node in case.redo.nodes}
    for says, changes in alike.items():
        for some in (changes, *([each] for each in changes if len(changes) > 1)):
            names = [f"'{made[each.node]}'" for each in some]
            yield f"{listed(names)} {says}", tuple(some)


def _orders(case: FailingPass, node: Node) -> Iterator[tuple[str, How]]:
    shapes = [case.redo.values[name].shape for name in (*node.inputs, node.outputs[0]) if name]
    if facts_of(node).keeps_order:
        for before, one, other in _regrouped(shapes[0], shapes[-1]):
            for order in itertools.permutations(range(max(len(one), len(other)))):
                if order != tuple(sorted(order)):
                    yield _of_axis(shapes[-1], before, one, other, order)
    elif node.op_type == "Concat" and len(node.inputs) <= _MOST:
        for parts in itertools.permutations(range(len(node.inputs))):
            if parts != tuple(sorted(parts)):
                yield (
                    f"put together in the order {', '.join(map(str, parts))}",
                    lambda same, inputs, parts=parts: case.redo.run_node(same, [inputs[part] for part in parts]),  # type: ignore[misc]
                )


def _of_axis(shape: Shape, before: int, one: Shape, other: Shape, order: Sequence[int]) -> tuple[str, How]:
    """An axis split into (or joined from) several, the first of `order` the slowest."""
    sizes = max(one, other, key=len)
    dealt, by = [sizes[axis] for axis in order], [0, *(1 + axis for axis in order), 1 + len(order)]

    def split(x: Array) -> Array:
        return x.reshape(before, *dealt, -1).transpose(np.argsort(by))

    def joined(x: Array) -> Array:
        return x.reshape(before, *sizes, -1).transpose(by)

    names = " x ".join(map(str, dealt)), " x ".join(map(str, sizes))
    move = split if len(other) > 1 else joined
    return f"dealt out as {names[0]}, not as {names[1]}", lambda _, inputs: move(np.asarray(inputs[0])).reshape(shape)


def _regrouped(one: Shape, other: Shape) -> Iterator[tuple[int, Shape, Shape]]:
    """Axes of one shape that are split into several of another, or joined, and the elements of those before them."""
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
