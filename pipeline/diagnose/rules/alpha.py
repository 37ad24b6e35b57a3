"""alpha: the wrong values are those of the activation with another constant, a common slip or fitted to the errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number, shortened, shortest_between
from texelscope.pipeline.diagnose.fault_models.layer_parts import undone_to, with_attributes
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, node_as
from texelscope.pipeline.graph import Node
from texelscope.pipeline.model_file.defaults import default_number
from texelscope.pipeline.operators.facts import Threshold
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

# Values of a constant that was left out. All others, except for common slips, are fitted.
_LEFT_OUT = (0.0, 1.0)
# Slopes differ if they are further apart than this share of the largest.
_TOLD = 1e-4


class Alpha(Rule):
    """An activation's constant differs: a leaky one's slope, an exponential one's alpha, a bound of a clip."""

    cause = causes.ALPHA
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes for each constant of a curve its default, none, common slips, and one fitted to the errors."""
        for node in case.model_slice.nodes:
            for name, right in _shaping(case, node):
                default = default_number(node, name)
                for value, fitted in _candidates(case, node, name, right, default):
                    says = f"{node.op_type} with {name} = {value:.6g} instead of {right:.6g}"
                    parameters = {"expected": right, "got": value}
                    change = _with_attribute(case, node, name)(value)
                    written, common = value / _window(node), value == default
                    yield self._hypothesis(says, parameters, change, value, written, fitted=fitted, pairs=common)
            if node.op_type == "PRelu":
                yield from self._slopes(case, node)
            if node.op_type == "Clip":
                yield from self._bounds(case, node)
            if node.op_type == "Where":
                yield from self._branches(case, node)

    def _branches(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes other factors in one branch of a Where, such as the slope below zero in a backward pass."""
        constants = {} if case.model_slice.graph is None else case.model_slice.graph.constants
        makers = (case.model_slice.makers.get(name) for name in node.inputs[1:])
        products = [maker for maker in makers if maker is not None and maker.op_type == "Mul"]
        for name in (name for maker in products for name in maker.inputs if name in constants):
            held = case.model_slice.values[name]
            if held.size != 1 or held.dtype.kind != "f":
                continue
            right, filled = float(f"{float(held.reshape(-1)[0]):.7g}"), _filled(name)
            slips = (*_LEFT_OUT, -right, 1.0 / right if right else 1.0, 1.0 - right, right / 10.0, right * 10.0)
            for value, fitted in _once(slips, fitted_number(case, filled, right)):
                if not np.isclose(value, right, rtol=1e-6):
                    says = f"the factor {value:.6g} instead of {right:.6g} in one branch of Where '{node.name}'"
                    parameters = {"expected": right, "got": value}
                    yield self._hypothesis(says, parameters, filled(value), value, fitted=fitted, prior=1.05)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], change: ModelEdit, value: float, *written: float, fitted: int,
        pairs: bool = False, prior: float = 1.0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            "Use the model's constant.",
            parameters,
            (change,),
            line=lines.first(lines.written(value, *written), lines.activation),
            prior=prior,
            in_pairs=pairs,
            fitted=fitted,
        )

    def _slopes(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes slopes of a PRelu: one value for all channels, or that of another channel."""
        name = node.inputs[1]
        slope = np.asarray(case.model_slice.values[name])
        filled = _filled(name)
        for value, fitted in _once(_LEFT_OUT, fitted_number(case, filled, float(np.median(slope)))):
            says = f"the slope {value:.6g} for every channel"
            yield self._hypothesis(says, {"got": value}, filled(value), value, fitted=fitted)
        there = _slopes_there(case, node)
        if there is not None and 0 < (other := np.flatnonzero(there != slope.reshape(-1))).size < slope.size:
            says = " and ".join(f"{there[at]:.6g} instead of {slope.reshape(-1)[at]:.6g}" for at in other[:3])
            yield self._hypothesis(
                f"the slope {says} for channel {', '.join(map(str, other[:3]))}",
                {"channels": other.tolist(), "got": float(there[other[0]])},
                constant_as(name, lambda _old: there), *map(float, there[other]), fitted=other.size, prior=1.25,
            )  # fmt: skip
        places_read = lines.read(name)
        for says, indices in _dealt(slope.size):
            change = constant_as(name, lambda old, at=indices: old.reshape(-1)[at])  # type: ignore[misc]
            yield Hypothesis(
                self.cause,
                f"for channel c the slope {says}",
                "Index the slopes by channel.",
                {"index": says},
                (change,),
                line=places_read,
                prior=1.1,
            )

    def _bounds(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes bounds of a Clip: the smallest and largest value in the result, or others that fit."""
        values = case.model_slice.inputs_of(node)
        actual = case.actual[np.isfinite(case.actual)]
        if not actual.size:
            return
        for position, name, seen in ((1, "min", actual.min()), (2, "max", actual.max())):
            bound = values[position] if position < len(values) else None
            if bound is None:
                continue
            right = float(bound)
            filled = _filled(node.inputs[position])
            for got in dict.fromkeys((float(seen), *fitted_number(case, filled, right))):
                says = f"Clip with {name} = {got:.6g} instead of {right:.6g}"
                yield self._hypothesis(says, {"expected": right, "got": got}, filled(got), got, fitted=1)


def _slopes_there(case: FailingPass, node: Node) -> Array | None:
    """Returns each channel's slope, computed from the values below zero; the model's where equal or unknown."""
    made, (x, slope) = undone_to(case, case.actual, node), case.model_slice.inputs_of(node)[:2]
    right = np.asarray(slope).reshape(-1)
    if made is None or x is None or x.ndim != 4 or right.size != x.shape[1]:
        return None
    below = np.where(x < 0.0, made.reshape(x.shape) / x, np.nan)
    own = (values[np.isfinite(values)] for values in np.moveaxis(below, 1, 0))
    told = np.array([np.median(values) if values.size else known for values, known in zip(own, right, strict=True)])
    is_other = np.abs(told - right) > _TOLD * np.abs(right).max()
    return np.where(is_other, [shortened(float(each))[0] for each in told], right).astype(np.float32)


def _dealt(count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    index = np.arange(count)
    for offset in (1, -1, 2, -2):
        yield f"c {offset:+d}", (index + offset) % count
        yield f"c {offset:+d}, clamped at the ends", np.clip(index + offset, 0, count - 1)
    for which in range(min(count, 4)):
        yield f"{which}", np.full(count, which)
    yield "(count - 1) - c", index[::-1]


def _shaping(case: FailingPass, node: Node) -> Iterator[tuple[str, float]]:
    """Yields name and value of each number that shapes the node's curve."""
    for name in facts_of(node).shaped_by:
        value = case.model_slice.call(node).attribute(name)
        if value is not None:
            yield name, float(value)


def _window(node: Node) -> int:
    """Returns by what the shader may divide the constant where it is written: the window size of a normalisation."""
    return int(node.attributes.get("size", 1))


def _candidates(
    case: FailingPass, node: Node, name: str, right: float, default: float | None
) -> list[tuple[float, int]]:
    """Returns values, each with 1 if it was fitted to the errors, else 0."""
    slips = [*_LEFT_OUT, -right, 1.0 / right if right else 1.0, 1.0 - right, right / 10.0, right * 10.0]
    if default is not None:
        slips.insert(0, default)
    if _window(node) > 1:
        slips += [right * _window(node), right / _window(node)]
    threshold = facts_of(node).threshold
    if threshold is not None and threshold.attribute == name:
        found = _cut(case, node, threshold)
    else:
        found = fitted_number(case, _with_attribute(case, node, name), right)
    return [each for each in _once(slips, found) if not np.isclose(each[0], right, rtol=1e-6)]


def _once(known: Iterable[float], found: Iterable[float]) -> list[tuple[float, int]]:
    """Returns each number once, with 1 for those that are fitted and not among the known ones."""
    known = tuple(known)
    return [(value, int(value not in known)) for value in dict.fromkeys((*known, *found))]


def _with_attribute(case: FailingPass, node: Node, name: str) -> Callable[[float], ModelEdit]:
    alone = facts_of(node).pointwise
    return lambda value: node_as(case, node, with_attributes(node, **{name: value}), pointwise=alone)


def _filled(tensor: str) -> Callable[[float], ModelEdit]:
    return lambda value: constant_as(tensor, lambda old: np.full_like(old, value))


def _cut(case: FailingPass, node: Node, threshold: Threshold) -> list[float]:
    """Returns a number between the largest element that became zero and the smallest that did not."""
    made = undone_to(case, case.actual, node)
    if made is None:
        return []
    x = np.asarray(case.model_slice.inputs_of(node)[0], dtype=np.float64).reshape(-1)
    size = threshold.size(x)
    gone, kept = size[made == 0.0], size[np.isfinite(made) & (made != 0.0)]
    if not gone.size or not kept.size or gone.max() >= kept.min():
        return []
    return [shortest_between(float(gone.max()), float(kept.min()))]
