"""Reductions as rows of terms, to be redone with fewer or other terms: sums along axes, softmaxes, statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layouts.shapes import as_nchw
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.base import Call
from pipeline.oracle.own.block_sum import TERMS

Array = NDArray[Any]
# Terms [G, K], and what a mean divides by, to results [G].
Fold = Callable[[Array, int], Array]
# Terms of the unchanged rows [G, K] to other ones [G, K'].
Terms = Callable[[Array], Array]

_FOLDS: Mapping[str, Fold] = MappingProxyType(
    {
        "ReduceSum": lambda v, _: v.sum(axis=1),
        "ReduceMean": lambda v, count: v.sum(axis=1) / count,
        "ReduceMax": lambda v, _: v.max(axis=1),
        "ReduceMin": lambda v, _: v.min(axis=1),
        "ReduceProd": lambda v, _: v.prod(axis=1),
        "ReduceL1": lambda v, _: np.abs(v).sum(axis=1),
        "ReduceL2": lambda v, _: np.sqrt(np.square(v).sum(axis=1)),
        "ReduceSumSquare": lambda v, _: np.square(v).sum(axis=1),
        "ReduceLogSum": lambda v, _: np.log(v.sum(axis=1)),
        "ReduceLogSumExp": lambda v, _: np.log(np.exp(v - v.max(axis=1, keepdims=True)).sum(axis=1)) + v.max(axis=1),
    }
)
_SOFTMAXES = ("Softmax", "LogSoftmax")
# Of longer sums only some ends are tried.
MOST_ENDS = 64


@dataclass(frozen=True)
class Reduction:
    """A node that joins the elements along `axes` of its first input, seen in the shape `view`, in `groups` of `count`.

    `means`: whether it divides by the count.
    """

    node: Node
    view: tuple[int, ...]
    axes: tuple[int, ...]

    @property
    def count(self) -> int:
        """Elements of a group."""
        return math.prod(self.view[axis] for axis in self.axes)

    @property
    def means(self) -> bool:
        """Whether the result is divided by the count."""
        return self.node.op_type == "ReduceMean" or float(self.node.attributes.get("scale", 1.0)) != 1.0

    def rows(self, x: Array) -> Array:
        """[G, K]: the elements of each group in order."""
        return np.asarray(x.reshape(self.view).transpose(self._order).reshape(-1, self.count))

    def change(self, terms: Terms, *, divide: bool = False) -> NodeChange:
        """The node on other terms; with `divide`, a mean divides by their number."""

        def changed(node: Node, inputs: Any) -> Array:
            x = np.asarray(inputs[0])
            rows = self.rows(x.astype(np.float64))
            with np.errstate(all="ignore"):
                result = self._result(node, inputs, rows, terms(rows), divide=divide)
            return np.asarray(result, dtype=np.float32)

        return NodeChange(self.node.name, changed)

    def _result(self, node: Node, inputs: Any, rows: Array, terms: Array, *, divide: bool) -> Array:
        count = terms.shape[1] if divide else self.count
        if node.op_type in _SOFTMAXES:
            away = rows - rows.max(axis=1, keepdims=True)
            total = np.exp(terms - rows.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
            made = np.exp(away) / total if node.op_type == "Softmax" else away - np.log(total)
            turned = made.reshape([self.view[axis] for axis in self._order])
            return np.asarray(turned.transpose(np.argsort(self._order)).reshape(np.asarray(inputs[0]).shape))
        shape = self._shape(node)
        if node.op_type == "BlockSum":
            centre = inputs[1] if len(inputs) > 1 and inputs[1] is not None else np.zeros(1)
            of_terms = TERMS[node.attributes["term"]](terms - np.asarray(centre, dtype=np.float64).reshape(-1, 1))
            scale = float(node.attributes["scale"]) * self.count / count
            return np.asarray(of_terms.sum(axis=1).reshape(shape) * scale)
        return _FOLDS[node.op_type](terms, count).reshape(shape)

    def _shape(self, node: Node) -> tuple[int, ...]:
        if node.op_type == "BlockSum":
            return tuple(node.attributes["shape"])
        kept = tuple(1 if axis in self.axes else size for axis, size in enumerate(self.view))
        return (
            kept
            if node.attributes.get("keepdims", 1)
            else tuple(size for axis, size in enumerate(self.view) if axis not in self.axes)
        )

    @property
    def _order(self) -> tuple[int, ...]:
        return (*(axis for axis in range(len(self.view)) if axis not in self.axes), *self.axes)


def reductions(case: Case) -> list[Reduction]:
    """Those of the pass; of very long sums, that are made block by block, none."""
    found = []
    for node in case.redo.nodes:
        x = case.redo.inputs_of(node)[0] if node.inputs else None
        if x is None or case.redo.graph is None:
            continue
        if node.op_type == "BlockSum":
            reduction = Reduction(node, tuple(node.attributes["view"]), tuple(node.attributes["axes"]))
            if reduction.count <= int(node.attributes["block"]):
                found.append(reduction)
        elif node.op_type in _SOFTMAXES:
            found.append(Reduction(node, x.shape, (int(node.attributes.get("axis", -1)) % max(x.ndim, 1),)))
        elif node.op_type in _FOLDS and x.dtype.kind == "f":
            axes = _axes(case, node, x.ndim)
            if axes:
                found.append(Reduction(node, x.shape, axes))
    return [each for each in found if each.count > 1]


def _axes(case: Case, node: Node, rank: int) -> tuple[int, ...]:
    values, axes = case.redo.inputs_of(node), node.attributes.get("axes")
    if axes is None and len(values) > 1 and values[1] is not None:
        axes = tuple(int(axis) for axis in np.asarray(values[1]).reshape(-1))
    if not axes:
        return () if node.attributes.get("noop_with_empty_axes", 0) else tuple(range(rank))
    return tuple(sorted(int(axis) % rank for axis in axes))


def fewer(count: int, across: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Ways to leave some of `count` terms out, with those that are left; `across` make the last axis."""
    every = np.arange(count)
    for lost in (1, 2, 3, 4):
        if lost < count:
            yield (f"the last {lost} elements" if lost > 1 else "the last element"), every[: count - lost]
    yield "the first element", every[1:]
    if count > 4:
        yield "what is left over of groups of four", every[: count // 4 * 4]
        yield "all but the first four elements", every[:4]
    if count > 2:
        yield "every other element", every[::2]
        yield "the last half", every[: count // 2]
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


def ends(count: int) -> Iterator[int]:
    """Numbers of terms at which a loop may end, or begin, by mistake: any of a few, round ones of many."""
    if count <= MOST_ENDS:
        yield from range(1, count)
        return
    yield from (1 << power for power in range(count.bit_length()) if 1 << power < count)
    for divisor in (2, 3, 4, 8):
        yield count // divisor
        yield count - count // divisor


def more(case: Case, reduction: Reduction, extra: int) -> Iterator[tuple[str, Array]]:
    """[G, extra]: what is read for terms behind the last one (with -1, before the first), by where it comes from."""
    node = reduction.node
    x = np.asarray(case.redo.values[node.inputs[0]])
    index = reduction.rows(np.arange(x.size))
    rows = reduction.rows(x.astype(np.float64))
    step = index[:, -1] - index[:, -2]
    if extra < 0:
        yield "before the row", _at(x, index[:, :1] - step[:, None])
        return
    ahead = np.arange(1, extra + 1)
    yield "behind the row", _at(x, index[:, -1:] + step[:, None] * ahead)
    if len(reduction.axes) > 1:
        yield "behind the row in memory", _at(x, index[:, -1:] + ahead)
    if extra <= reduction.count:
        yield "of the row's beginning again", rows[:, :extra]
    read = case.read_of(node.inputs[0])
    if read is None or len(reduction.axes) != 1 or reduction.view != x.shape or read.values.stored.shape != x.shape:
        return
    axis = reduction.axes[0] + 4 - x.ndim
    for beyond in _BEYOND if axis >= 0 else ():
        last = list(np.unravel_index(index[:, -1:], as_nchw(x.shape)))
        last[axis] = last[axis] + ahead
        n, c, h, w = np.broadcast_arrays(*last)
        yield "behind the row's texels", read.values.read(n, c, h, w, beyond).astype(np.float64)


_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")


def _at(x: Array, places: Array) -> Array:
    """Elements of x at linear places, 0 outside."""
    inside = (places >= 0) & (places < x.size)
    return np.where(inside, x.reshape(-1)[np.clip(places, 0, x.size - 1)].astype(np.float64), 0.0)


def inner_products(case: Case) -> list[tuple[Node, int, Callable[[Array, Array], Array]]]:
    """Products of matrices that are no frames: the node, its number of terms, and its first operand with factors."""
    found: list[tuple[Node, int, Callable[[Array, Array], Array]]] = []
    for node in case.redo.node("MatMul", "Einsum"):
        x = case.redo.inputs_of(node)[0]
        if x is None or case.redo.frame(node) is not None or case.redo.graph is None:
            continue
        axes = (x.ndim - 1,) if node.op_type == "MatMul" else _summed(Call(node, case.redo.graph), x.ndim)
        if axes:
            count = math.prod(x.shape[axis] for axis in axes)
            found.append((node, count, _weighted_terms(axes)))
    return found


def _summed(call: Call, rank: int) -> tuple[int, ...]:
    """Axes of an einsum's first operand that are summed over."""
    equation = str(call.attribute("equation")).replace(" ", "")
    if "." in equation or "->" not in equation:
        return ()
    operands, output = equation.split("->")
    labels = operands.split(",")[0]
    return tuple(axis for axis, label in enumerate(labels) if label not in output) if len(labels) == rank else ()


def _weighted_terms(axes: tuple[int, ...]) -> Callable[[Array, Array], Array]:
    def change(x: Array, factors: Array) -> Array:
        shape = [size if axis in axes else 1 for axis, size in enumerate(x.shape)]
        return np.asarray(x * factors.reshape(shape), dtype=np.float32)

    return change
