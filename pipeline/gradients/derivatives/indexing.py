"""Differentiates operators that select by indices, where repeated selections add up, or update a copy of a tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.along_axes import placed, put_back, resized
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


def gather(node: Backward) -> None:
    """Computes dx: at each selected index the sum of dy's slices."""
    if not node.wants(0):
        return
    axis, shape, picked = node.axis(), node.shape(0), node.given(1)
    count = node.count(picked.shape)
    flat = resized(shape, axis, count)
    dy = node.dy() if len(picked.shape) == 1 else node.to_shape(node.dy(), flat, label="dy_in_a_row")
    if picked.value is not None:
        _back_to_known(node, dy, axis, picked.value)
        return
    row = node.x(1) if len(picked.shape) == 1 else node.to_shape(node.x(1), (count,), label="indices_in_a_row")
    if shape[axis] <= count:
        node.result(0, _added(node, dy, axis, row, count, shape, "dx"))
        return
    # Slices of one index are added up at the last of them: the others then cost nothing.
    last = _last_places(node, row, count, shape[axis])
    own = node.add("Gather", last, row, label="place_of_sum", axis=0)
    sums = _added(node, dy, axis, own, count, flat, "sums")
    padded = placed(node, sums, flat, [0] * len(shape), resized(shape, axis, count + 1), "sums_and_zero")
    node.result(0, node.add("Gather", padded, last, label="dx", axis=axis))


def _back_to_known(node: Backward, dy: str, axis: int, indices: NDArray[Any]) -> None:
    """Adds up slices of one index, then spreads the sums."""
    shape = node.shape(0)
    places = np.ravel(indices).astype(np.int64)
    places = np.where(places < 0, places + shape[axis], places)
    found, which = np.unique(places, return_inverse=True)
    count = len(places)
    if len(found) == count:
        node.result(0, put_back(node, dy, resized(shape, axis, count), {axis: places}, shape, "dx"))
        return
    flat = resized(shape, axis, len(found))
    row = node.whole(*which.ravel().tolist(), label="which")
    sums = _added(node, dy, axis, row, count, flat, "sums")
    node.result(0, put_back(node, sums, flat, {axis: found}, shape, "dx"))


def _last_places(node: Backward, row: str, count: int, size: int) -> str:
    """Returns for each index of an axis the last place of `row` with it, and `count` for one that does not occur."""
    none = node.constant(np.full(size, count), "int64", "not_there")
    return node.add("ScatterElements", none, row, node.whole(*range(count), label="order"), label="last_place", axis=0)


def _added(node: Backward, dy: str, axis: int, row: str, count: int, shape: Shape, label: str) -> str:
    """Adds slices of `dy` to zeros of `shape`, at `row`."""
    zeros = node.filled(0.0, shape, label="zeros")
    if axis == 0:
        tuples = node.to_shape(row, (count, 1), label="tuples")
        return node.add("ScatterND", zeros, tuples, dy, label=label, reduction="add")
    column = node.to_shape(row, (count, *(1,) * (len(shape) - axis - 1)), label="column")
    indices = node.spread(column, resized(shape, axis, count), label="indices")
    return node.add("ScatterElements", zeros, indices, dy, label=label, axis=axis, reduction="add")


def gather_elements(node: Backward) -> None:
    """Computes dx: adds up dy at the indices."""
    if node.wants(0):
        _scattered(node, node.x(1), node.axis())


def _scattered(node: Backward, indices: str, axis: int) -> None:
    zeros = node.filled(0.0, node.shape(0), label="zeros")
    node.result(0, node.add("ScatterElements", zeros, indices, node.dy(), label="dx", axis=axis, reduction="add"))


def gather_nd(node: Backward) -> None:
    """Computes dx: adds up dy at the tuples; the places in the batch come before them."""
    if not node.wants(0):
        return
    batch, indices, shape = int(node.attribute("batch_dims", 0)), node.x(1), node.shape(1)
    if batch:
        tuples = shape[:-1]
        own = np.stack(np.meshgrid(*map(np.arange, tuples), indexing="ij"), axis=-1)[..., :batch]
        numbers = node.constant(own, "int64", "batch")
        indices = node.add("Concat", numbers, indices, label="tuples", axis=len(shape) - 1)
    zeros = node.filled(0.0, node.shape(0), label="zeros")
    node.result(0, node.add("ScatterND", zeros, indices, node.dy(), label="dx", reduction="add"))


def top_k(node: Backward) -> None:
    """Computes dx: dy where the values were found."""
    if node.wants(0) and node.arrives(0):
        _scattered(node, node.y(1), node.axis(default=-1))


def one_hot(node: Backward) -> None:
    """Computes the gradient of the values [off, on]: dy summed over the places of either."""
    if not node.wants(2):
        return
    dtype, axis = node.given(2).dtype, int(node.attribute("axis", -1))
    axes = range(len(node.y_info().shape))
    sums = []
    for name, pair in (("off", (1.0, 0.0)), ("on", (0.0, 1.0))):
        values = node.constant(pair, dtype, f"is_{name}")
        there = node.add("OneHot", node.x(0), node.x(1), values, label=f"where_{name}", axis=axis)
        kept = node.add("Mul", node.dy(), there, label=f"dy_{name}")
        total = node.reduced("ReduceSum", kept, axes, keep=False, label=f"sum_{name}")
        sums.append(node.to_shape(total, (1,), label=f"d_{name}"))
    node.result(2, node.add("Concat", *sums, label="d_values", axis=0))


@dataclass(frozen=True)
class _Places:
    """Locates the updates: how to write values there, and to read them."""

    node: Backward
    indices: str
    # None: indices are tuples, as of ScatterND.
    axis: int | None

    def put(self, into: str, updates: str, reduction: str, label: str) -> str:
        """Writes `updates` at the places of `into`."""
        operator, attributes = ("ScatterND", {}) if self.axis is None else ("ScatterElements", {"axis": self.axis})
        said = reduction if reduction != "none" else None
        return self.node.add(operator, into, self.indices, updates, label=label, reduction=said, **attributes)

    def take(self, from_: str, label: str) -> str:
        """Reads the values at the places, of the updates' shape."""
        operator, attributes = ("GatherND", {}) if self.axis is None else ("GatherElements", {"axis": self.axis})
        return self.node.add(operator, from_, self.indices, label=label, **attributes)


def scatter_elements(node: Backward) -> None:
    """Differentiates updates along an axis."""
    _scatter(_Places(node, node.x(1), node.axis()))


def scatter_nd(node: Backward) -> None:
    """Differentiates slices at tuples of indices."""
    _scatter(_Places(node, node.x(1), None))


def _scatter(places: _Places) -> None:
    """Differentiates by the reduction of an element and its updates. Updates of one place each get its gradient."""
    node = places.node
    reduction = str(node.attribute("reduction", "none"))
    if 0 in node.shape(1):
        node.result(0, node.dy())
    elif reduction == "none":
        _replaced(places, 2)
    elif reduction == "add":
        node.result(0, node.dy())
        if node.wants(2):
            node.result(2, places.take(node.dy(), "d_updates"))
    elif reduction == "mul":
        _multiplied(places)
    else:
        _extreme(places)


def _replaced(places: _Places, position: int) -> None:
    """Computes d_data = dy without overwritten places, d_updates = dy there; `position` is that of the updates."""
    node = places.node
    if node.wants(0):
        zeros = node.filled(0.0, node.shape(position), label="zeros")
        node.result(0, places.put(node.dy(), zeros, "none", "d_data"))
    if node.wants(position):
        node.result(position, places.take(node.dy(), "d_updates"))


def _multiplied(places: _Places) -> None:
    """Gives each factor dy times the others: all but the zeros among them, divided by itself.

    A second zero at the same place makes it 0, as in PyTorch.
    """
    node = places.node
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    ones, factors = [], []
    for position in (0, 2):
        none = node.add("Equal", node.x(position), zero, label=f"is_zero_{position}")
        ones.append(node.add("Where", none, one, zero, label="zeros_of"))
        factors.append(node.add("Where", none, one, node.x(position), label=f"factor_{position}"))
    count = places.put(ones[0], ones[1], "add", "zeros_there")
    product = places.put(factors[0], factors[1], "mul", "product")
    for position, factor, own in zip((0, 2), factors, ones, strict=True):
        if not node.wants(position):
            continue
        at = [count, product, node.dy()]
        if position == 2:
            at = [places.take(each, "taken") for each in at]
        others = node.add("Equal", at[0], own, label="no_other_zero")
        share = node.add("Div", at[1], factor, label="of_the_others")
        share = node.add("Where", others, share, zero, label="unless_zero")
        node.result(position, node.add("Mul", at[2], share, label=f"d_{position}"))


def _extreme(places: _Places) -> None:
    """Passes dy to the largest or smallest at its place, shared evenly among equal ones."""
    node = places.node
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    own = node.add("Equal", node.x(0), node.y(), label="data_won")
    of_data = node.add("Where", own, one, zero, label="data_counts")
    found = node.add("Equal", node.x(2), places.take(node.y(), "y_there"), label="update_won")
    of_updates = node.add("Where", found, one, zero, label="update_counts")
    share = node.add("Div", node.dy(), places.put(of_data, of_updates, "add", "winners"), label="share")
    if node.wants(0):
        node.result(0, node.add("Where", own, share, zero, label="d_data"))
    if node.wants(2):
        node.result(2, node.add("Where", found, places.take(share, "share_there"), zero, label="d_updates"))


def tensor_scatter(node: Backward) -> None:
    """Differentiates replaced elements along an axis, from each batch entry's own place on."""
    updates, rank = node.shape(1), len(node.shape(0))
    axis = node.axis(default=-2)
    run = node.constant(np.arange(updates[axis]).reshape(-1, *(1,) * (rank - axis - 1)), "int64", "run")
    indices = run
    if node.has(2):
        first = node.to_shape(node.x(2), (updates[0], *(1,) * (rank - 1)), label="first")
        indices = node.add("Add", first, run, label="places")
        if node.attribute("mode", "linear") == "circular":
            size = node.constant(node.shape(0)[axis], "int64", "axis_count")
            indices = node.add("Mod", indices, size, label="circular_places")
    _replaced(_Places(node, node.spread(indices, updates, label="indices"), axis), 1)


DERIVATIVES = {
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "TopK": top_k,
    "OneHot": one_hot,
    "ScatterElements": scatter_elements,
    "Scatter": scatter_elements,
    "ScatterND": scatter_nd,
    "TensorScatter": tensor_scatter,
}
FLAT = ("ArgMax", "ArgMin")
