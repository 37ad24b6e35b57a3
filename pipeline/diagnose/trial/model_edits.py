"""Shorthands for common model edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange, OutputChange, WindowChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
Function = Callable[[Array], Array]


def window_with(node: str, **fields: Any) -> WindowChange:
    """Replaces some fields of the window of a convolution, product or pool."""
    return WindowChange(node, lambda window: window.replaced(**fields))


def input_through(tensor: str, function: Function) -> InputChange:
    """Applies a function to each element of an input."""
    return InputChange(tensor, lambda value: np.asarray(function(value), dtype=np.float32), pointwise=True)


def output_through(function: Function) -> OutputChange:
    """Applies a function to each element of the result."""
    return OutputChange(function, pointwise=True)


def constant_as(tensor: str, function: Function) -> InputChange:
    """Replaces a constant's value, in its shape."""
    return InputChange(tensor, lambda value: np.asarray(function(value)).reshape(value.shape))


def node_as(case: FailingPass, node: Node, changed: Node, *, pointwise: bool = False) -> NodeChange:
    """Evaluates a node with other attributes."""
    return NodeChange(node.name, _As(case, changed), pointwise=pointwise)


@dataclass(frozen=True)
class _As:
    """A node's function with other attributes, which another edit of the same node uses."""

    case: FailingPass
    changed: Node

    def __call__(self, _node: Node, inputs: Sequence[Array | None]) -> Array:
        return self.case.model_slice.run_node(self.changed, inputs)

    def joined(self, other: Callable[[Node, Sequence[Array | None]], Array]) -> Callable[..., Array] | None:
        return None if isinstance(other, _As) else lambda _node, inputs: other(self.changed, inputs)


def node_of(case: FailingPass, node: Node, function: Function, *, pointwise: bool = False) -> NodeChange:
    """Applies a function to a node's first input."""

    def change(same: Node, inputs: Sequence[Array | None]) -> Array:
        first = inputs[0]
        assert first is not None
        if first.dtype.kind == "b":  # a condition, not an amount
            raise DoesNotApplyError(same.name)
        return case.model_slice.run_node(same, [np.asarray(function(first), dtype=np.float32), *inputs[1:]])

    return NodeChange(node.name, change, pointwise=pointwise)


def node_through(case: FailingPass, node: Node, function: Function) -> NodeChange:
    """Applies a function to a node's result."""

    def change(same: Node, inputs: Sequence[Array | None]) -> Array:
        return np.asarray(function(case.model_slice.run_node(same, inputs)), dtype=np.float32)

    return NodeChange(node.name, change)


def node_skipped(node: Node, position: int = 0) -> NodeChange:
    """Omits a pointwise node: its input at `position` passes through."""

    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        first = inputs[position]
        assert first is not None
        return first

    return NodeChange(node.name, change, pointwise=True)


def plus(x: float, y: float) -> Callable[[Array], Array]:
    """Returns v ↦ x·v + y in float32."""
    return lambda value: np.asarray(value * np.float32(x) + np.float32(y), dtype=np.float32)


def times(factor: float) -> Callable[[Array], Array]:
    """Returns v ↦ factor·v in float32."""
    return lambda value: np.asarray(value * np.float32(factor), dtype=np.float32)
