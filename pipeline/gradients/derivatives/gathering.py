"""Elements picked by indices: Gather, GatherElements, GatherND, TopK. What several picks have taken adds up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.along_axes import placed, put_back
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


def gather(node: Backward) -> None:
    """dx has the sum of dy's slices at each that was picked."""
    if not node.wants(0):
        return
    axis, shape, picked = node.axis(), node.shape(0), node.given(1)
    count = node.count(picked.shape)
    flat = _along(shape, axis, count)
    dy = node.dy() if len(picked.shape) == 1 else node.to_shape(node.dy(), flat, label="dy_in_a_row")
    if picked.value is not None:
        _back_to_known(node, dy, axis, picked.value)
        return
    row = node.x(1) if len(picked.shape) == 1 else node.to_shape(node.x(1), (count,), label="indices_in_a_row")
    if shape[axis] <= count:
        node.result(0, _added(node, dy, axis, row, count, shape, "dx"))
        return
    # Slices that were picked by one index are added up where the last of them is: the others cost nothing then.
    last = _last_places(node, row, count, shape[axis])
    own = node.add("Gather", last, row, label="place_of_sum", axis=0)
    sums = _added(node, dy, axis, own, count, flat, "sums")
    padded = placed(node, sums, flat, [0] * len(shape), _along(shape, axis, count + 1), "sums_and_zero")
    node.result(0, node.add("Gather", padded, last, label="dx", axis=axis))


def _along(shape: Shape, axis: int, size: int) -> Shape:
    return (*shape[:axis], size, *shape[axis + 1 :])


def _back_to_known(node: Backward, dy: str, axis: int, indices: NDArray[Any]) -> None:
    """Slices of one index added up, then put back."""
    shape = node.shape(0)
    places = np.ravel(indices).astype(np.int64)
    places = np.where(places < 0, places + shape[axis], places)
    found, which = np.unique(places, return_inverse=True)
    count = len(places)
    if len(found) == count:
        node.result(0, put_back(node, dy, _along(shape, axis, count), {axis: places}, shape, "dx"))
        return
    flat = _along(shape, axis, len(found))
    row = node.whole(*which.ravel().tolist(), label="which")
    sums = _added(node, dy, axis, row, count, flat, "sums")
    node.result(0, put_back(node, sums, flat, {axis: found}, shape, "dx"))


def _last_places(node: Backward, row: str, count: int, size: int) -> str:
    """For each index of an axis the last place of `row` with it, and `count` for one that is not there."""
    none = node.constant(np.full(size, count), "int64", "not_there")
    return node.add("ScatterElements", none, row, node.whole(*range(count), label="order"), label="last_place", axis=0)


def _added(node: Backward, dy: str, axis: int, row: str, count: int, shape: Shape, label: str) -> str:
    """Slices of `dy` added to zeros of `shape`, where `row` says."""
    zeros = node.filled(0.0, shape, label="zeros")
    if axis == 0:
        tuples = node.to_shape(row, (count, 1), label="tuples")
        return node.add("ScatterND", zeros, tuples, dy, label=label, reduction="add")
    column = node.to_shape(row, (count, *(1,) * (len(shape) - axis - 1)), label="column")
    indices = node.spread(column, _along(shape, axis, count), label="indices")
    return node.add("ScatterElements", zeros, indices, dy, label=label, axis=axis, reduction="add")


def gather_elements(node: Backward) -> None:
    """dx adds dy up where the indices say."""
    if node.wants(0):
        _scattered(node, node.x(1), node.axis())


def _scattered(node: Backward, indices: str, axis: int) -> None:
    zeros = node.filled(0.0, node.shape(0), label="zeros")
    node.result(0, node.add("ScatterElements", zeros, indices, node.dy(), label="dx", axis=axis, reduction="add"))


def gather_nd(node: Backward) -> None:
    """dx adds dy up where the tuples say; before them come the places in the batch."""
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
    """dx has dy where the values were found."""
    if node.wants(0) and node.arrives(0):
        _scattered(node, node.y(1), node.axis(default=-1))


DERIVATIVES = {"Gather": gather, "GatherElements": gather_elements, "GatherND": gather_nd, "TopK": top_k}
FLAT = ("ArgMax", "ArgMin")
