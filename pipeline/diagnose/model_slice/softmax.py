"""Softmaxes with other sums: y of x and of ln Σe^x, whatever is taken for the latter.

Which elements are summed up, and what a logarithm of a share becomes, the operator says.
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
    """A node, the elements of its input that are normalised together, and its result as a function of x − ln Σe^x."""

    node: Node
    rows: Rows
    share: Function

    def of(self, x: Array) -> Array:
        """float64 [rows, count]: the elements that are normalised together."""
        return self.rows.of(np.asarray(x, dtype=np.float64))

    def rows_of_elements(self) -> NDArray[np.int64]:
        """int64 [elements]: of each element of the input, in C order, the number of its row."""
        count = math.prod(self.rows.view) // self.rows.count
        numbers = np.broadcast_to(np.arange(count, dtype=np.int64)[:, None], (count, self.rows.count))
        return self.rows.back(numbers).reshape(-1)

    def made(self, rows: Array, logarithms: Array) -> Array:
        """float32, in the shape of x: the result where ln Σe^x of [rows, count] is `logarithms`, which broadcast."""
        with np.errstate(all="ignore"):
            return np.asarray(self.rows.back(self.share(rows - logarithms)), dtype=np.float32)

    def with_sums_of(self, rows: NDArray[np.int64]) -> NodeChange:
        """The node of which each element (in C order) is made with the sum of the row of that number."""

        def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
            x = np.asarray(inputs[0], dtype=np.float64)
            logarithms = log_sums(self.of(x)).reshape(-1)
            made = self.share(x.reshape(-1) - logarithms[rows % logarithms.size])
            return np.asarray(made, dtype=np.float32).reshape(x.shape)

        return NodeChange(self.node.name, change)

    def first_rows(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Axes that are not summed along, and for each element its row, but that of the first place along that axis."""
        view = tuple(1 if axis in self.rows.axes else size for axis, size in enumerate(self.rows.view))
        numbers, own = np.arange(math.prod(view)).reshape(view), self.rows_of_elements()
        for axis, size in enumerate(view):
            if size > 1:
                yield axis, np.broadcast_to(numbers.take([0], axis), view).reshape(-1)[own]


def log_sums(rows: Array) -> Array:
    """[rows, 1]: ln Σe^x of each row, without overflow."""
    return np.asarray(np.logaddexp.reduce(rows, axis=1, keepdims=True))


def softmax_of(redo: ModelSlice, node: Node) -> SoftmaxSlice | None:
    """The node as such; None if it is none, or if there is nothing in it."""
    share, rows = facts_of(node).share, redo.rows(node)
    if share is None or rows is None or not rows.count or not redo.values[node.outputs[0]].size:
        return None
    return SoftmaxSlice(node, rows, share)


def softmaxes(redo: ModelSlice) -> Iterator[SoftmaxSlice]:
    """Those of the pass."""
    for node in redo.nodes:
        found = softmax_of(redo, node)
        if found is not None:
            yield found
