"""Implements operators over any number of tensors that broadcast: Max, Min, Sum and Mean.

Each folds the `float binary(float a, float b)` of a shader file in `shaders/operators/elementwise`. More
tensors than samplers are folded in groups first, then the groups.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.operators import affine
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise, sum_of_products


@dataclass(frozen=True)
class Variadic(Operator):
    """Computes y = x₀ ∘ x₁ ∘ …, divided by their number for a mean; `sums` where ∘ is addition."""

    op_type: str
    formula: str
    shader: str
    sums: bool = False
    mean: bool = False

    def names(self) -> tuple[str, ...]:
        """Returns the single operator type of this entry."""
        return (self.op_type,)

    def describe(self) -> str:
        """Returns the formula."""
        return self.formula

    @property
    def facts(self) -> Facts:
        """The facts of broadcast elements."""
        adds = self.sums and not self.mean
        return Facts(pointwise=True, adds=adds, means=self.mean, neutral=(0.0,) if adds else ())

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Splits into groups of at most `max_samplers` inputs and a node over the groups; a mean is a sum, divided."""
        inputs = call.node.inputs
        if len(inputs) <= limits.max_samplers:
            return None
        if self.mean:
            return _as_sum(call)
        nodes: list[Node] = []
        tensors: list[TensorInfo] = []
        for start in range(0, len(inputs), limits.max_samplers):
            group = inputs[start : start + limits.max_samplers]
            name = f"{call.node.name}/part{len(nodes)}of{len(inputs)}"  # joined again if they are too many
            shape = np.broadcast_shapes(*(call.graph.tensors[each].shape for each in group))
            tensors.append(TensorInfo(name, shape, call.output_info().dtype))
            nodes.append(dataclasses.replace(call.node, name=name, inputs=group, outputs=(name,)))
        joined = dataclasses.replace(call.node, inputs=tuple(info.name for info in tensors))
        return Rewrite((*nodes, joined), tuple(tensors))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads one element of each input."""
        inputs = call.node.inputs
        constants: dict[str, Constant] = {"INPUTS": len(inputs), "DIVISOR": float(len(inputs)) if self.mean else 1.0}
        files = (f"elementwise/{self.shader}.glsl", "variadic.glsl")
        if any(call.shape(i) != call.output_shape() for i in range(len(inputs))):
            files = (files[0], "variadic_strided.glsl")
            constants["RANK"] = max(len(call.output_shape()), 1)
            constants["SIZES"] = call.output_shape() or (1,)
            constants["STRIDES"] = sum((affine.strides(call, i) or (0,) for i in range(len(inputs))), ())
        return Kernel(files, {"X": inputs}, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) of a sum; otherwise by the inputs' errors alone."""
        positions = tuple(range(len(call.node.inputs)))
        if self.sums:
            return sum_of_products(evaluation, len(positions) + 3, factors=(), addends=positions)
        return pointwise(evaluation, np.zeros(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns one element of each input."""
        return affine.read_indices(call, element, range(len(call.node.inputs)))

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns, for a sum or mean, what the others leave."""
        others = [np.asarray(x, dtype=np.float64) for i, x in enumerate(inputs) if i != position and x is not None]
        if not self.sums:
            return None
        total = np.asarray(y, dtype=np.float64) * (len(inputs) if self.mean else 1)
        return np.asarray(total - sum(others, start=np.zeros(())))


def _as_sum(call: Call) -> Rewrite:
    total, count = f"{call.node.name}/sum", f"{call.node.name}/count"
    nodes = (
        dataclasses.replace(call.node, name=total, op_type="Sum", outputs=(total,)),
        Node(call.node.name, "Div", (total, count), call.node.outputs, opset=call.node.opset),
    )
    number = np.array(len(call.node.inputs), dtype=call.output_info().dtype)
    return Rewrite(nodes, (dataclasses.replace(call.output_info(), name=total),), {count: number})


OPERATORS = (
    Variadic("Max", "y = max(x₀, x₁, …)", "max"),
    Variadic("Mean", "y = (x₀ + x₁ + …) / n", "add", sums=True, mean=True),
    Variadic("Min", "y = min(x₀, x₁, …)", "min"),
    Variadic("Sum", "y = x₀ + x₁ + …", "add", sums=True),
)
