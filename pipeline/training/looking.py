"""What is read back of a step to tell why a model does not learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import root_mean_square
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.training.findings.seen import StepSeen, WeightSeen
from texelscope.pipeline.training.step_graph import StepGraph


def seen_of(session: DebugSession, graph: StepGraph, step: int, loss: float) -> StepSeen:
    """The figures of a step whose tensors the session still holds."""
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
    """Which channels, along axis 1 or the only one, are zero in all elements."""
    axis = min(1, values.ndim - 1)
    others = tuple(each for each in range(values.ndim) if each != axis)
    return np.asarray(np.all(values <= 0, axis=others)).reshape(-1)
