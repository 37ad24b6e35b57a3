"""Elements that moving nodes deal out in another order: split axes and joined ones, parts put together, diagonals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.redo.redo import Change, NodeChange, Values
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.graph import Node, Shape
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
How = Callable[[Node, Values], Array]
# Axes that are split into, or put together from, so many; parts that are put together.
_MOST = 3


def dealt_otherwise(case: Case) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """In words, and the changes: all nodes that move alike together, then each; then tables along diagonals."""
    alike: dict[str, list[NodeChange]] = {}
    for node in case.redo.nodes:
        for says, how in _orders(case, node) if facts_of(node).moves else ():
            alike.setdefault(says, []).append(NodeChange(node.name, how))
    made = {node.name: node.outputs[0] for node in case.redo.nodes}
    for says, changes in alike.items():
        for some in (changes, *([each] for each in changes if len(changes) > 1)):
            names = [f"'{made[each.node]}'" for each in some]
            yield f"{listed(names)} {says}", tuple(some)
    yield from along_diagonals(case, "index_map")


def _orders(case: Case, node: Node) -> Iterator[tuple[str, How]]:
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


def along_diagonals(case: Case, cause: str) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Constant tables of the distance j - i alone, such as masks, taken at another distance, where `cause` says so.

    Where wrong elements do not read all that the model's do, a loop stands for the table: it ends elsewhere.
    """
    flat = case.wrong.reshape(-1)
    is_loop = any(taps.missing() for taps in case.evidence.taps if flat[taps.element])
    constants = case.redo.graph.constants if case.redo.graph is not None else {}
    for name, table in case.redo.values.items():
        if name not in constants or table.ndim < 2 or min(table.shape[-2:]) < 2 or table.dtype.kind != "f":
            continue
        if not np.array_equal(table[..., 1:, 1:], table[..., :-1, :-1]):
            continue
        rows, columns = table.shape[-2:]
        by_distance = np.concatenate([table[..., :0:-1, 0], table[..., 0, :]], axis=-1)
        away = np.arange(columns) - np.arange(rows)[:, None]
        for sign, more in itertools.product((1, -1), (0, 1, -1)):
            taken = np.clip(sign * away + more + rows - 1, 0, rows + columns - 2)
            other = by_distance[..., taken]
            less, more_of_it = is_loop and (other <= table).all(), is_loop and (other >= table).all()
            named = "missing_channels" if less else "extra_channels" if more_of_it else "index_map"
            if named == cause and not np.array_equal(other, table):
                of = f"{'j - i' if sign > 0 else 'i - j'}{f' {more:+d}' if more else ''}"
                yield f"'{name}' at i, j as it is for {of}", (constant_as(name, lambda _, other=other: other),)  # type: ignore[misc]
