"""Elements picked by indices: Gather, GatherElements, GatherND, TopK. What several picks have taken adds up."""

from __future__ import annotations

import numpy as np

from pipeline.gradients.derivatives.along_axes import put_back
from pipeline.gradients.derivatives.backward import Backward


def gather(node: Backward) -> None:
    """dx has dy at the picked slices; those picked by indices that are known, each once, are picked back."""
    if not node.wants(0):
        return
    axis, shape, picked = node.axis(), node.shape(0), node.given(1)
    count = node.count(picked.shape)
    flat = (*shape[:axis], count, *shape[axis + 1 :])
    dy = node.dy() if len(picked.shape) == 1 else node.to_shape(node.dy(), flat, label="dy_in_a_row")
    if picked.value is not None:
        places = np.ravel(picked.value).astype(np.int64)
        places = np.where(places < 0, places + shape[axis], places)
        if len(np.unique(places)) == count:
            node.result(0, put_back(node, dy, flat, {axis: places}, shape, "dx"))
            return
    zeros = node.filled(0.0, shape, label="zeros")
    if axis == 0:
        tuples = node.to_shape(node.x(1), (count, 1), label="tuples")
        node.result(0, node.add("ScatterND", zeros, tuples, dy, label="dx", reduction="add"))
        return
    column = node.to_shape(node.x(1), (count, *(1,) * (len(shape) - axis - 1)), label="column")
    indices = node.spread(column, flat, label="indices")
    node.result(0, node.add("ScatterElements", zeros, indices, dy, label="dx", axis=axis, reduction="add"))


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
