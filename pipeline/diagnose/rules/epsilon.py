"""epsilon: the wrong values are those of the normalisation with another epsilon, or one outside the root."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import node_as
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.parts import before_tail, with_attributes
from pipeline.diagnose.redo import NodeChange
from pipeline.graph import Node

Array = NDArray[Any]

_COMMON = (0.0, 1e-5, 1e-3, 1e-6, 1e-4, 1e-2, 1e-8, 1e-7, 1e-12, 1e-1, 1.0)
_NODES = ("BatchNormalization", "InstanceNormalization", "LayerNormalization", "GroupNormalization")


class Epsilon(Rule):
    """The constant that keeps a division from zero differs, or stands outside the root."""

    cause = "epsilon"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Common values, and one fitted to the errors."""
        for node in case.redo.node(*_NODES):
            right = float(node.attributes.get("epsilon", 1e-5))
            candidates = [*_COMMON, right * 10, right / 10, right * 100, *_fitted(case, node)]
            for value in dict.fromkeys(candidates):
                if np.isclose(value, right, rtol=1e-6, atol=0.0):
                    continue
                says = f"{node.op_type} with epsilon = {value:.6g} instead of {right:.6g}"
                changed = node_as(case, node, with_attributes(node, epsilon=float(value)))
                yield self._hypothesis(says, right, value, changed)
            for value in (right, 1e-5, 1e-8):
                says = f"{node.op_type} with {value:.6g} added to the deviation, not to the variance"
                if node.op_type in ("BatchNormalization", "InstanceNormalization"):
                    yield self._hypothesis(says, right, value, NodeChange(node.name, _outside(value)))

    def _hypothesis(self, says: str, right: float, got: float, change: NodeChange) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            f"Add {right:.6g} to the variance, under the root.",
            {"expected": right, "got": got},
            (change,),
            place=places.first(places.written(got), places.call("sqrt", "inversesqrt", "pow")),
        )


def _outside(value: float) -> Callable[[Node, Sequence[Array | None]], Array]:
    """scale / (√variance + ε) for a batch normalisation or an instance normalisation."""

    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        x, scale, shift = (np.asarray(each, dtype=np.float64) for each in inputs[:3])
        mean, variance = _statistics(node, x, inputs)
        axis = (1, -1) + (1,) * (x.ndim - 2)
        return np.asarray(
            (x - mean) / (np.sqrt(variance) + value) * scale.reshape(axis) + shift.reshape(axis), np.float32
        )

    return change


def _statistics(node: Node, x: Array, inputs: Sequence[Array | None]) -> tuple[Array, Array]:
    axis = (1, -1) + (1,) * (x.ndim - 2)
    if node.op_type == "BatchNormalization":
        mean, variance = (np.asarray(each, dtype=np.float64).reshape(axis) for each in inputs[3:5])
        return mean, variance
    spatial = tuple(range(2, x.ndim))
    return x.mean(axis=spatial, keepdims=True), x.var(axis=spatial, keepdims=True)


def _fitted(case: Case, node: Node) -> list[float]:
    """ε = ((x - mean)·scale / (y - shift))² - variance, for the largest deviations."""
    if node.op_type not in ("BatchNormalization", "InstanceNormalization"):
        return []
    inputs = case.redo.inputs_of(node)
    x = np.asarray(inputs[0], dtype=np.float64)
    if x.size != case.actual.size or x.ndim < 2:
        return []
    axis = (1, -1) + (1,) * (x.ndim - 2)
    scale, shift = (np.asarray(each, dtype=np.float64).reshape(axis) for each in inputs[1:3])
    mean, variance = _statistics(node, x, inputs)
    tail = case.redo.tail()
    y = (
        case.actual.astype(np.float64)
        if node in tail[-1:] or node is case.redo.nodes[-1]
        else before_tail(case, case.actual)
    )
    with np.errstate(all="ignore"):
        value = np.square((x - mean) * scale / (y.reshape(x.shape) - shift)) - variance
        deviation = np.abs((x - mean) * scale) / np.sqrt(variance + 1e-30)
    chosen = np.isfinite(value) & (deviation > np.quantile(deviation, 0.75))
    if not chosen.any():
        return []
    found = float(np.median(value[chosen]))
    return [float(f"{found:.2g}"), float(f"{found:.3g}"), found] if found > 0 else []
