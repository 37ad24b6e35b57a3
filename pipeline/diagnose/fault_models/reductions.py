"""Reductions as rows of terms, to recompute with fewer or other terms: sums along axes, softmaxes, statistics.

Local response normalisations have windows of such terms: y = x / (bias + alpha / size · Σ x²)^beta.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelSlice, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.softmax import log_sums, softmax_of
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.facts import Rows
from texelscope.pipeline.operators.families.lrn import general_form
from texelscope.pipeline.operators.families.registry import facts_of, operator_of

Array = NDArray[Any]
# From the unchanged rows of terms [G, K] to other ones [G, K'].
Terms = Callable[[Array], Array]

# A number this near an integer counts as one.
_WHOLE = 1e-5
# Longer sums are tried with some ends only.
MOST_ENDS = 64


@dataclass(frozen=True)
class ReductionMistake:
    """A node that combines the elements of each of its `rows`."""

    model_slice: ModelSlice
    node: Node
    rows: Rows

    @property
    def count(self) -> int:
        """Returns the number of elements of a row."""
        return self.rows.count

    @property
    def is_of_places(self) -> bool:
        """Whether it combines only rows and columns of pictures."""
        return len(self.rows.view) == 4 and {*self.rows.axes} <= {2, 3}

    @property
    def means(self) -> bool:
        """Whether the result is divided by the count."""
        return facts_of(self.node).means or self._scale != 1.0

    @property
    def _scale(self) -> float:
        return float(self.node.attributes.get("scale", 1.0))

    def change(self, terms: Terms, *, divide: bool = False) -> NodeChange:
        """Returns the node's edit to other terms; with `divide`, a mean divides by their number."""

        def changed(node: Node, inputs: Values) -> Array:
            rows = self.rows.of(np.asarray(inputs[0], dtype=np.float64))
            with np.errstate(all="ignore"):
                made = self._of(terms(rows), rows, inputs, divide=divide)
            return np.asarray(made, dtype=np.float32).reshape(self.model_slice.values[node.outputs[0]].shape)

        return NodeChange(self.node.name, changed)

    def _of(self, terms: Array, rows: Array, inputs: Values, *, divide: bool) -> Array:
        softmax = softmax_of(self.model_slice, self.node)
        if softmax is not None:
            return softmax.made(rows, log_sums(terms))
        operator = operator_of(self.node)
        node = None if operator is None else operator.of_matrix(self.model_slice.call(self.node), terms.shape)
        if node is None:
            raise DoesNotApplyError(self.node.name)
        made = self.model_slice.run_node(node, [terms, *inputs[1 : len(node.inputs)]])
        count = terms.shape[1]
        if facts_of(self.node).means:  # by the number of terms it gets
            return made if divide else made * (count / self.count)
        return made * (self.count / count) if divide else made


def reductions(case: FailingPass) -> list[ReductionMistake]:
    """Returns the reductions of the pass; none of very long sums, which are computed in blocks."""
    if case.model_slice.graph is None:
        return []
    found = []
    for node in case.model_slice.nodes:
        x = case.model_slice.inputs_of(node)[0] if node.inputs else None
        rows = case.model_slice.rows(node)
        if x is not None and x.dtype.kind == "f" and rows is not None and not facts_of(node).multiplies:
            found.append(ReductionMistake(case.model_slice, node, rows))
    return [each for each in found if each.count > 1]


def means_of_sums(case: FailingPass) -> Iterator[tuple[Node, int]]:
    """Yields nodes that make means of sums by a constant factor, with the number of terms."""
    counts = {each.node.outputs[0]: each.count for each in reductions(case) if not each.means}
    for node, sums, name in _by_constant(case, "Mul"):
        count, factor = counts.get(sums, 0), case.model_slice.values[name]
        if factor.size == 1 and abs(float(factor.reshape(-1)[0]) * count - 1.0) < _WHOLE:
            yield node, count


def shares(case: FailingPass) -> Iterator[tuple[Node, str, Array]]:
    """Yields nodes that multiply by reciprocals of differing integers, with the constant and those integers."""
    for node, _, name in _by_constant(case, "Mul"):
        held = case.model_slice.values[name].astype(np.float64)
        if held.size > 1 and (held > 0.0).all() and held.max() > held.min():
            counts = 1.0 / held
            if np.abs(counts - np.rint(counts)).max() < _WHOLE * counts.max():
                yield node, name, np.rint(counts).astype(np.int64)


def _by_constant(case: FailingPass, op_type: str) -> Iterator[tuple[Node, str, str]]:
    """Yields nodes of a tensor and a constant of real numbers, with both."""
    constants = case.model_slice.constants
    for node in case.model_slice.node(op_type):
        for one, other in itertools.permutations(node.inputs, 2):
            if other in constants and one not in constants and constants[other].dtype.kind == "f":
                yield node, one, other


def fewer(count: int, across: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yields descriptions and remaining indices for some of `count` terms left out; `across` make the last axis."""
    every = np.arange(count)
    for lost in range(1, min(count, 5)):
        yield (f"the last {lost} elements" if lost > 1 else "the last element"), every[: count - lost]
    yield "the first element", every[1:]
    if count > 4:
        yield "the rest after groups of four", every[: count // 4 * 4]
    for lane in range(4):
        yield f"every fourth element from {lane}", every[every % 4 != lane]
    if 1 < across < count:
        yield "the last of each row", every[every % across != across - 1]
        yield "the first of each row", every[every % across != 0]
        yield "the last row", every[: count - across]
        yield "the first row", every[across:]
    for kept in ends(count):
        yield f"all but the first {kept} elements", every[:kept]
        yield f"the first {kept} elements", every[kept:]
    for step in (3, 4, 8):
        if step < count:
            yield f"all but every {step}th element", every[::step]


def along_one(rows: Rows) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yields the same along one axis of several: without its last place, its first, or with only these."""
    sizes = [rows.view[axis] for axis in rows.axes]
    if sum(size > 1 for size in sizes) < 2:
        return
    every = np.arange(rows.count)
    for axis, size, place in zip(rows.axes, sizes, np.unravel_index(every, sizes), strict=True):
        for text, kept in (
            ("the last place", place < size - 1), ("the first place", place > 0),
            ("all but the first place", place == 0), ("all but the last place", place == size - 1),
        ):  # fmt: skip
            if 0 < kept.sum() < rows.count:
                yield f"{text} along axis {axis}", every[kept]


def ends(count: int) -> Iterator[int]:
    """Yields numbers of terms at which a loop may end, or begin, by mistake: any of a few, round ones of many."""
    if count <= MOST_ENDS:
        yield from range(1, count)
        return
    yield from (1 << power for power in range(count.bit_length()) if 1 << power < count)
    for divisor in (2, 3, 4, 8):
        yield count // divisor
        yield count - count // divisor


def more(reduction: ReductionMistake, extra: int) -> Iterator[tuple[str, Array]]:
    """Yields [G, extra]: values read as terms beyond the last (with -1, before the first), by where they come from."""
    node = reduction.node
    x = np.asarray(reduction.model_slice.values[node.inputs[0]])
    index = reduction.rows.of(np.arange(x.size))
    rows = reduction.rows.of(x.astype(np.float64))
    step = index[:, -1] - index[:, -2]
    if extra < 0:
        yield "before the row", _at(x, index[:, :1] - step[:, None])
        return
    ahead = np.arange(1, extra + 1)
    yield "after the row", _at(x, index[:, -1:] + step[:, None] * ahead)
    if extra <= reduction.count:
        yield "from the row's beginning again", rows[:, :extra]


def _at(x: Array, places: Array) -> Array:
    """Returns elements of x at linear places, 0 outside."""
    inside = (places >= 0) & (places < x.size)
    return np.where(inside, x.reshape(-1)[np.clip(places, 0, x.size - 1)].astype(np.float64), 0.0)


@dataclass(frozen=True)
class SummedProduct:
    """A matrix product that is no window, of `count` terms along `axes` of its first operand."""

    model_slice: ModelSlice
    node: Node
    count: int
    axes: tuple[int, ...]

    def times(self, factors: Array) -> NodeChange:
        """Returns the edit that multiplies each term by its factor."""

        def change(node: Node, inputs: Values) -> Array:
            x = np.asarray(inputs[0])
            shape = [size if axis in self.axes else 1 for axis, size in enumerate(x.shape)]
            weighted = np.asarray(x * factors.reshape(shape), dtype=np.float32)
            return self.model_slice.run_node(node, [weighted, *inputs[1:]])

        return NodeChange(self.node.name, change)


def inner_products(case: FailingPass) -> Iterator[SummedProduct]:
    """Yields the pass's matrix products that are no windows."""
    for node in case.model_slice.nodes_with(lambda facts: facts.multiplies):
        rows = case.model_slice.rows(node) if case.model_slice.window(node) is None else None
        if rows is not None and case.model_slice.inputs_of(node)[0] is not None:
            yield SummedProduct(case.model_slice, node, rows.count, rows.axes)


def windows(case: FailingPass) -> Iterator[tuple[Node, int, str, NodeChange]]:
    """Yields for each such node windows with fewer or more channels: the number, a description, and the edit."""
    for node in case.model_slice.node("LRN"):
        form = general_form(case.model_slice.call(node))
        size, before = form.window, form.before
        if form.spatial or form.repeat_edge:
            continue
        for first, count, text in (
            (before, size - 1, "without the last"), (before - 1, size - 1, "without the first"),
            (before - 1, size - 2, "without the first and the last"), (0, 1, "of one channel"),
            (before, size + 1, "with one more after"), (before + 1, size + 1, "with one more before"),
            (before + 1, size + 2, "with one more at either end"), (0, size - before, "from the channel itself on"),
            (before, before + 1, "up to the channel itself"),
        ):  # fmt: skip
            if count > 0 and count != size:
                says = f"{text} ({count} channels for {size})"
                yield node, count - size, says, NodeChange(node.name, _over(case, first, count))
        if len(np.shape(case.model_slice.values[node.inputs[0]])) == 4:
            for first, behind, text in (
                (0, size - 1 - before, "with the next picture's channels after the last one"),
                (before, 0, "with the previous picture's channels before the first one"),
                (before, size - 1 - before, "with other pictures' channels beyond the first and last one"),
            ):
                change = _over(case, before, size, across=(first, behind))
                yield node, first + behind, f"with, {text}", NodeChange(node.name, change)


def _over(case: FailingPass, before: int, count: int, across: tuple[int, int] = (0, 0)):  # type: ignore[no-untyped-def]
    """Sums over `count` channels from `before` ahead of each, scaled as the right sum is.

    `across`: how many channels of the previous and the next picture are added where a picture has no more.
    """

    def change(node: Node, inputs: Any) -> Array:
        form = general_form(case.model_slice.call(node))
        x = np.asarray(inputs[0], dtype=np.float64)
        behind = count - 1 - before
        squares = np.pad(np.square(x), [(0, 0), (max(before, 0), max(behind, 0)), *[(0, 0)] * (x.ndim - 2)])
        first, last = across
        if first and len(x) > 1:
            squares[1:, before - first : before] = np.square(x[:-1, x.shape[1] - first :])
        if last and len(x) > 1:
            start = before + x.shape[1]
            squares[:-1, start : start + last] = np.square(x[1:, :last])
        total = np.zeros_like(x)
        for tap in range(-before, behind + 1):
            total += squares[:, max(before, 0) + tap : max(before, 0) + tap + x.shape[1]]
        return np.asarray(x / np.power(form.bias + form.scale * total, form.exponent), dtype=np.float32)

    return change
