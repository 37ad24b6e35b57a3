"""alpha: the wrong values are those of the activation with another constant, common or fitted to the errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import constant_as, node_as
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.parts import with_attributes
from pipeline.diagnose.redo import Change
from pipeline.graph import Node

Array = NDArray[Any]

_COMMON = (0.01, 0.1, 0.2, 0.3, 0.25, 0.02, 0.05, 0.001, 0.5, 1.0, 0.0, 1.0 / 6.0, 2.0, 1.6732632)
# Operators whose attributes shape the curve, with the schema's defaults.
_ATTRIBUTES = {
    "LeakyRelu": {"alpha": 0.01}, "Elu": {"alpha": 1.0}, "Celu": {"alpha": 1.0}, "ThresholdedRelu": {"alpha": 1.0},
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5}, "Selu": {"alpha": 1.6732632, "gamma": 1.0507010},
    "LRN": {"alpha": 0.0001, "beta": 0.75, "bias": 1.0}, "Swish": {"alpha": 1.0},
}  # fmt: skip


class Alpha(Rule):
    """An activation's constant differs: a leaky one's slope, an exponential one's alpha, a bound of a clip."""

    cause = "alpha"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Every constant that shapes a curve, as values that are common and as one fitted to the errors."""
        for node in case.redo.nodes:
            for name, default in _ATTRIBUTES.get(node.op_type, {}).items():
                right = float(node.attributes.get(name, default))
                for value in _candidates(case, node, name, right):
                    changed = node_as(
                        case, node, with_attributes(node, **{name: value}), pointwise=node.op_type != "LRN"
                    )
                    says = f"{node.op_type} with {name} = {value:.6g} instead of {right:.6g}"
                    yield self._hypothesis(says, {"expected": right, "got": value}, changed, value)
            if node.op_type == "PRelu":
                yield from self._slopes(case, node)
            if node.op_type == "Clip":
                yield from self._bounds(case, node)

    def _hypothesis(self, says: str, parameters: dict[str, Any], change: Change, value: float) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Use the constant of the model.",
            parameters,
            (change,),
            place=places.first(places.written(value), places.activation),
            in_pairs=value in _COMMON[:3],
        )

    def _slopes(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """A PRelu's slopes: one value for all, or taken for another channel."""
        name = node.inputs[1]
        slope = np.asarray(case.redo.values[name])
        for value in dict.fromkeys((*_COMMON, *_fitted(case, node))):
            change = constant_as(name, lambda old, value=value: np.full_like(old, value))  # type: ignore[misc]
            yield self._hypothesis(f"the slope {value:.6g} for every channel", {"got": value}, change, value)
        places_read = places.read(name)
        for says, indices in _dealt(slope.size):
            change = constant_as(name, lambda old, at=indices: old.reshape(-1)[at])  # type: ignore[misc]
            yield Hypothesis(
                self.cause,
                f"for channel c the slope {says}",
                "Read the slope at the index of the channel.",
                {"index": says},
                (change,),
                place=places_read,
                weight=1.1,
            )

    def _bounds(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """A Clip whose bounds are the smallest and largest values that came out, or none."""
        values = case.redo.inputs_of(node)
        actual = case.actual[np.isfinite(case.actual)]
        if not actual.size:
            return
        for position, name, seen in ((1, "min", actual.min()), (2, "max", actual.max())):
            bound = values[position] if position < len(values) else None
            if bound is not None:
                right, got = float(bound), float(seen)
                change = constant_as(node.inputs[position], lambda old, got=got: np.full_like(old, got))  # type: ignore[misc]
                says = f"Clip with {name} = {got:.6g} instead of {right:.6g}"
                yield self._hypothesis(says, {"expected": right, "got": got}, change, got)


def _dealt(count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    index = np.arange(count)
    for offset in (1, -1, 2, -2):
        yield f"c {offset:+d}", (index + offset) % count
        yield f"c {offset:+d}, held at the ends", np.clip(index + offset, 0, count - 1)
    for which in range(min(count, 4)):
        yield f"{which}", np.full(count, which)
    yield "(count - 1) - c", index[::-1]


def _candidates(case: Case, node: Node, name: str, right: float) -> list[float]:
    common = [*_COMMON, -right, 1.0 / right if right else 1.0, 1.0 - right, right / 10.0, right * 10.0]
    found = [*_fitted(case, node), *common] if name == "alpha" else common
    return [value for value in dict.fromkeys(found) if not np.isclose(value, right, rtol=1e-6)]


def _fitted(case: Case, node: Node) -> list[float]:
    """The slope on the negative side, if the node is the last one; rounded first."""
    if node.op_type not in ("LeakyRelu", "PRelu", "Elu") or node is not case.redo.nodes[-1]:
        return []
    x = np.asarray(case.redo.inputs_of(node)[0], dtype=np.float64).reshape(case.dims)
    curve = np.expm1(np.minimum(x, 0.0)) if node.op_type == "Elu" else x
    negative = (x < 0) & case.wrong & np.isfinite(case.actual)
    if not negative.any():
        return []
    # Large inputs have the least relative rounding in them.
    weight = np.abs(curve[negative])
    chosen = weight >= np.quantile(weight, 0.5)
    value = float(np.median(case.actual[negative][chosen] / curve[negative][chosen]))
    return [float(f"{value:.3g}"), float(f"{value:.5g}"), value] if np.isfinite(value) else []
