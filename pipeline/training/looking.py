"""Finds in a step's tensors why a model does not learn: figures of weights and Relus, and the first NaN."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import root_mean_square
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.training.findings.registry import StepSeen, WeightSeen
from texelscope.pipeline.training.step_graph import StepGraph


def seen_of(session: DebugSession, graph: StepGraph, step: int, loss: float) -> StepSeen:
    """Returns the figures of a step whose tensors the session still holds."""
    return StepSeen(
        step,
        loss,
        {name: _weight(session, graph, name) for name in graph.weights},
        {name: _silent(session.tensor(name)) for name in _rectified(graph)},
    )


def _weight(session: DebugSession, graph: StepGraph, name: str) -> WeightSeen:
    value = session.tensor(name)
    change = session.tensor(graph.following[name]) - value
    return WeightSeen(
        root_mean_square(value), root_mean_square(session.tensor(graph.gradients[name])), root_mean_square(change)
    )


def _rectified(graph: StepGraph) -> tuple[str, ...]:
    return tuple(node.outputs[0] for node in graph.graph.nodes if node.op_type == "Relu")


def _silent(values: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Returns which channels, along axis 1 or the only one, are zero in all elements."""
    axis = min(1, values.ndim - 1)
    others = tuple(each for each in range(values.ndim) if each != axis)
    return np.asarray(np.all(values <= 0, axis=others)).reshape(-1)


@dataclass(frozen=True)
class Broken:
    """Describes a tensor that is not finite: the first such element, its value, and the pass that made it.

    An input, which no pass makes, has an empty `name`.
    """

    name: str
    operator: str
    tensor: str
    place: tuple[int, ...]
    value: float

    def words(self) -> str:
        """Names value, element and maker in a few words."""
        at = f"element {list(self.place)} of '{self.tensor}'"
        return f"{self.value:g} in {at}" + (f", made by {self.operator} '{self.name}'" if self.name else ", an input")


def first_broken(session: DebugSession) -> Broken | None:
    """Runs all passes; returns the first one that makes non-finite numbers from finite inputs, or None.

    Where non-finite numbers go in, infinite constants apart, it returns the first input with one.
    """
    session.run()
    plan = session.plan
    is_finite: dict[str, bool] = {}
    for name in plan.inputs:
        values = session.tensor(name)
        if not np.isfinite(values).all():
            return _broken("", "input", name, values)
    for each in plan.passes:
        if not session.has_run(each.name):
            continue
        for key in each.reads:
            if key not in is_finite:
                is_finite[key] = bool(np.isfinite(session.tensor(key)).all())
        for key in each.outputs:
            values = session.tensor(key)
            is_finite[key] = bool(np.isfinite(values).all())
            if not is_finite[key] and all(is_finite[read] for read in each.reads):
                return _broken(each.name, each.operator, key, values)
    return None


def _broken(name: str, operator: str, tensor: str, values: NDArray[np.float32]) -> Broken:
    place = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
    return Broken(name, operator, tensor, place, float(values[place]))
