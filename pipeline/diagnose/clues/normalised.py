"""Normalisations worked out in another way: y = (x − m) / √(v + ε) · s + b with any of its parts changed.

Of batch normalisations, whose statistics are given, and of the pass into which all others are broken down, whose
statistics are sums over groups of its input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[Any]

# What x − m is divided by, for a variance and an epsilon.
ROOTS: Mapping[str, Callable[[Array, float], Array]] = MappingProxyType(
    {
        "√(v + ε)": lambda v, e: np.sqrt(v + e),
        "√v + ε": lambda v, e: np.sqrt(np.maximum(v, 0.0)) + e,
        "√(v + ε²)": lambda v, e: np.sqrt(v + e * e),
        "max(√v, ε)": lambda v, e: np.maximum(np.sqrt(np.maximum(v, 0.0)), e),
        "√max(v, ε)": lambda v, e: np.sqrt(np.maximum(v, e)),
        "√v + √ε": lambda v, e: np.sqrt(np.maximum(v, 0.0)) + math.sqrt(e),
        "1 / (1 / √v + ε)": lambda v, e: 1.0 / (1.0 / np.sqrt(np.maximum(v, 0.0)) + e),
        "√v": lambda v, e: np.sqrt(np.maximum(v, 0.0)),
        "v + ε": lambda v, e: v + e,
    }
)
# Those without the root: no matter of the epsilon.
ROOTLESS = ("v + ε",)


@dataclass(frozen=True)
class Normalised:
    """All arrays float64 and broadcasting to that of x; `root` is a key of ROOTS. `count` elements make a group."""

    node: Node
    x: Array
    mean: Array | None
    variance: Array
    scale: Array | None
    shift: Array | None
    epsilon: float
    count: int
    root: str = "√(v + ε)"

    def evaluate(self) -> Array:
        """The result, float32, in the shape of x."""
        with np.errstate(all="ignore"):
            y = self.x if self.mean is None else self.x - self.mean
            y = y / ROOTS[self.root](self.variance, self.epsilon)
            y = y if self.scale is None else y * self.scale
            return np.asarray(y if self.shift is None else y + self.shift, dtype=np.float32)

    def change(self, **fields: Any) -> NodeChange:
        """The node with some parts changed."""
        return NodeChange(self.node.name, _Changed(self, MappingProxyType(fields)))

    def with_inputs(self, node: Node, inputs: Sequence[Array | None]) -> Normalised:
        """The same on another x."""
        return replace(self, x=np.asarray(inputs[0], dtype=np.float64).reshape(self.x.shape))


@dataclass(frozen=True)
class _Changed:
    """A normalisation with some of its parts changed; others may be changed too."""

    right: Normalised
    fields: Mapping[str, Any]

    def __call__(self, node: Node, inputs: Sequence[Array | None]) -> Array:
        changed = replace(self.right, **self.fields)
        return changed.with_inputs(node, inputs).evaluate().reshape(np.asarray(inputs[0]).shape)

    def joined(self, other: object) -> _Changed | None:
        if not isinstance(other, _Changed) or {*self.fields} & {*other.fields}:
            return None
        return _Changed(self.right, MappingProxyType({**self.fields, **other.fields}))


def normalised(case: FailingPass, node: Node) -> Normalised | None:
    """The node as such a normalisation; None if it is none."""
    inputs = case.redo.inputs_of(node)
    if node.op_type == "BatchNormalization" and len(node.outputs) == 1 and all(v is not None for v in inputs[:5]):
        picture = np.asarray(inputs[0], dtype=np.float64)
        axis = (1, -1) + (1,) * (picture.ndim - 2)
        by_channel = [np.asarray(v, dtype=np.float64).reshape(axis) for v in inputs[1:5]]
        factor, addend, centre, spread = by_channel
        epsilon = float(node.attributes.get("epsilon", 1e-5))
        return Normalised(node, picture, centre, spread, factor, addend, epsilon, 0)
    if node.op_type != "Normalise" or inputs[0] is None or inputs[2] is None:
        return None
    view: tuple[int, ...] = tuple(node.attributes["view"])
    axes: tuple[int, ...] = tuple(node.attributes["axes"])
    kept = tuple(1 if axis in axes else size for axis, size in enumerate(view))
    parameters = tuple(node.attributes.get("parameters", (1,) * len(view)))
    found = [None if v is None else np.asarray(v, dtype=np.float64) for v in (*inputs, None, None)[:5]]
    shapes = (view, kept, kept, parameters, parameters)
    held = [None if value is None else value.reshape(shape) for value, shape in zip(found, shapes, strict=True)]
    x, mean, variance, scale, shift = held
    assert x is not None
    assert variance is not None
    root = "√v + ε" if node.attributes.get("outside", 0) else "√(v + ε)"
    count = math.prod(view[axis] for axis in axes)
    return Normalised(node, x, mean, variance, scale, shift, float(node.attributes["epsilon"]), count, root)
