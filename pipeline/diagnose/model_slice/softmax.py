"""Softmaxes with other sums: y as a function of x and of any value in place of ln Σe^x.

The operator decides which elements are summed, and how the result follows from a share's logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelSlice, NodeChange
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.facts import Function, Rows
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


@dataclass(frozen=True)
class SoftmaxSlice:
    """A node, the groups of its input that are normalised together, and its result as a function of x − ln Σe^x."""

    node: Node
    rows: Rows
    share: Function

    def of(self, x: Array) -> Array:
        """Returns float64 [rows, count]: the elements that are normalised together."""
        return self.rows.of(np.asarray(x, dtype=np.float64))

    def rows_of_elements(self) -> NDArray[np.int64]:
        """Returns int64 [elements]: for each element of the input, in C order, the index of its row."""
        count = math.prod(self.rows.view) // self.rows.count
        numbers = np.broadcast_to(np.arange(count, dtype=np.int64)[:, None], (count, self.rows.count))
        return self.rows.back(numbers).reshape(-1)

    def made(self, rows: Array, logarithms: Array) -> Array:
        """Returns the result, float32, in the shape of x, with `logarithms`, which broadcast, as the rows' ln Σe^x."""
        with np.errstate(all="ignore"):
            return np.asarray(self.rows.back(self.share(rows - logarithms)), dtype=np.float32)

    def with_sums_of(self, rows: NDArray[np.int64]) -> NodeChange:
        """Returns the node with, for each element (in C order), the sum of the row of that index."""

        def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
            x = np.asarray(inputs[0], dtype=np.float64)
            logarithms = log_sums(self.of(x)).reshape(-1)
            made = self.share(x.reshape(-1) - logarithms[rows % logarithms.size])
            return np.asarray(made, dtype=np.float32).reshape(x.shape)

        return NodeChange(self.node.name, change)

    def first_rows(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Yields axes that are not summed, and for each element its row at the first position along that axis."""
        view = tuple(1 if axis in self.rows.axes else size for axis, size in enumerate(self.rows.view))
        numbers, own = np.arange(math.prod(view)).reshape(view), self.rows_of_elements()
        for axis, size in enumerate(view):
            if size > 1:
                yield axis, np.broadcast_to(numbers.take([0], axis), view).reshape(-1)[own]


def log_sums(rows: Array) -> Array:
    """Returns ln Σe^x of each row, [rows, 1], without overflow."""
    return np.asarray(np.logaddexp.reduce(rows, axis=1, keepdims=True))


def softmax_of(model_slice: ModelSlice, node: Node) -> SoftmaxSlice | None:
    """Returns the node as a softmax; None if it is none, or if its input is empty."""
    share, rows = facts_of(node).share, model_slice.rows(node)
    if share is None or rows is None or not rows.count or not model_slice.values[node.outputs[0]].size:
        return None
    return SoftmaxSlice(node, rows, share)


def softmaxes(model_slice: ModelSlice) -> Iterator[SoftmaxSlice]:
    """Yields the softmaxes of the pass."""
    for node in model_slice.nodes:
        found = softmax_of(model_slice, node)
        if found is not None:
            yield found
