"""average_count: the wrong values are the sums divided by another count."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.redo import Change, NodeChange
from pipeline.diagnose.window_sum import WindowSum
from pipeline.graph import Node

Array = NDArray[Any]


class AverageCount(Rule):
    """A mean divides by another number than the model: with or without the padding, or a wrong count."""

    cause = "average_count"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Pools, means along axes, and the variance of an instance normalisation."""
        for frame in case.frames():
            if frame.kind == "mean":
                yield from self._pool(frame)
        for node in case.redo.node("ReduceMean"):
            yield from self._mean(case, node)
        for node in case.redo.node("InstanceNormalization"):
            yield from self._variance(case, node)

    def _pool(self, frame: WindowSum) -> Iterator[Hypothesis]:
        rows, columns = frame.kernel
        taps = rows * columns
        right = "the taps inside the picture" if frame.count == "inside" else f"all {taps} taps"
        names: dict[int | str, str] = {"all": f"all {taps} taps", "inside": "the taps inside the picture"}
        counts: list[int | str] = ["all" if frame.count == "inside" else "inside"]
        counts += [taps, taps - 1, taps + 1, rows, columns, (rows + 1) * (columns + 1), (rows - 1) * (columns - 1)]
        counts += [1, 2 * taps, 4, 9, 16, rows * rows, columns * columns]
        for count in dict.fromkeys(counts):
            if count != 0:
                says = f"the sum divided by {names.get(count, count)}"
                light = 1.0 if isinstance(count, str) else 1.5
                yield self._hypothesis(says, right, {"got": count}, frame_with(frame.node, count=count), light)

    def _mean(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        x = case.redo.inputs_of(node)[0]
        made = case.redo.values[node.outputs[0]]
        if x is None or not made.size:
            return
        count = x.size // made.size
        for got in dict.fromkeys((*x.shape, count - 1, count + 1, math.prod(x.shape[-2:]), x.size)):
            if got > 0 and got != count:
                change = NodeChange(node.name, _scaled(case, count / got))
                says = f"the sum of {count} elements divided by {got}"
                yield self._hypothesis(says, str(count), {"expected": count, "got": got}, change, 1.0)

    def _variance(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """The variance over one element less (Bessel's correction), which the model does not have."""
        x = case.redo.inputs_of(node)[0]
        if x is None:
            return
        count = math.prod(x.shape[2:])
        for got in (count - 1, count + 1):
            if got > 0:
                change = NodeChange(node.name, _normalised(float(node.attributes.get("epsilon", 1e-5)), got))
                says = f"the variance divided by {got} instead of {count}"
                yield self._hypothesis(says, str(count), {"expected": count, "got": got}, change, 1.0)

    def _hypothesis(
        self, says: str, right: str, parameters: dict[str, Any], change: Change, weight: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause, says, f"Divide by {right}.", parameters, (change,), place=places.division, weight=weight
        )


def _scaled(case: Case, factor: float):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.redo.run_node(node, inputs) * np.float32(factor)


def _normalised(epsilon: float, count: int):  # type: ignore[no-untyped-def]
    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        x, scale, shift = (np.asarray(each, dtype=np.float64) for each in inputs[:3])
        spatial, axis = tuple(range(2, x.ndim)), (1, -1) + (1,) * (x.ndim - 2)
        away = x - x.mean(axis=spatial, keepdims=True)
        variance = np.square(away).sum(axis=spatial, keepdims=True) / count
        return np.asarray(
            away / np.sqrt(variance + epsilon) * scale.reshape(axis) + shift.reshape(axis), dtype=np.float32
        )

    return change
