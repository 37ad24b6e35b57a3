"""Supports writing one node's derivative: its tensors, the gradients of its outputs, ONNX's own operators.

A short derivative is written as on paper, with + − · / and comparisons of tensors and numbers (`Formula`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo
from texelscope.pipeline.model_file.contrib.writer import NodeInput, Writer
from texelscope.pipeline.operators import affine
from texelscope.pipeline.operators.base import Call


class Backward(Writer):
    """Collects the backward nodes of one node of a graph.

    `x(i)` are the node's inputs and `y(i)` its outputs, by name; `dy(i)` is the gradient of output i, of
    that output's shape. A derivative calls `result(i, tensor)` with the gradient of each input i that it `wants`, of
    exactly that input's shape; without a call the gradient is zero. All shapes are known. The nodes are of opset
    `contrib.writer.OPSET`, whatever the opset of the node itself, which is `opset`; `call` is the node as
    its operator sees it.
    """

    def __init__(self, name: str, node: Node, graph: Graph, arriving: Sequence[str], outputs: Sequence[str]) -> None:
        """Stores `arriving`, names of the outputs' gradients, and `outputs`, names for those of the inputs."""
        given = [_given(graph, each) for each in node.inputs]
        super().__init__(name, node.op_type, given, outputs, node.attributes)
        self.opset = node.opset
        self.call = Call(node, graph)
        self._made = tuple(graph.tensors.get(each) for each in node.outputs)
        self._arriving = tuple(arriving)
        self._passed_on: dict[int, str] = {}

    @property
    def passed_on(self) -> Mapping[int, str]:
        """Returns gradients that are existing tensors, by position of the input."""
        return self._passed_on

    def result(self, position: int, tensor: str) -> None:
        """Makes `tensor` the gradient of the input at `position`; has no effect if that is not wanted."""
        if self.wants(position) and not any(tensor in node.output for node in self._nodes):
            self._passed_on[position] = tensor
        else:
            super().result(position, tensor)

    def y(self, position: int = 0) -> str:
        """Returns the name of the output at `position`."""
        return self.y_info(position).name

    def y_info(self, position: int = 0) -> TensorInfo:
        """Returns name, shape and dtype of the output at `position`. Raises UnsupportedError if it is left out."""
        found = self._made[position] if self.makes(position) else None
        if found is None:
            raise self.refusal(f"output {position}", "an omitted one")
        return found

    def makes(self, position: int) -> bool:
        """Reports whether the node has the output at `position`."""
        return position < len(self._made) and self._made[position] is not None

    def arrives(self, position: int = 0) -> bool:
        """Reports whether the output at `position` has a gradient."""
        return position < len(self._arriving) and bool(self._arriving[position])

    def dy(self, position: int = 0) -> str:
        """Returns the gradient of the output at `position`; zeros if it has none."""
        if self.arrives(position):
            return self._arriving[position]
        return self.filled(0.0, self.y_info(position).shape, label=f"no_gradient_{position}")

    def shape(self, position: int) -> Shape:
        """Returns the shape of the input at `position`."""
        return self.given(position).shape

    def axis(self, name: str = "axis", default: int = 0, rank: int | None = None) -> int:
        """Returns an axis attribute, counted from the front; the rank defaults to that of the first input."""
        rank = self.given(0).rank if rank is None else rank
        value = int(self.attribute(name, default))
        return value + rank if value < 0 else value

    # -- what many derivatives need --------------------------------------------------------------------------

    def scaled(self, tensor: str, factor: float, label: str = "") -> str:
        """Returns `tensor` times a number; itself where that is 1."""
        return tensor if factor == 1.0 else self.add("Mul", tensor, self.constant(factor), label=label or "scaled")

    def filled(self, value: float, shape: Shape, label: str = "filled") -> str:
        """Returns a constant of one value, of that shape."""
        return (
            self.add("Expand", self.constant(value), self.whole(*shape), label=label) if shape else self.constant(value)
        )

    def to_shape(self, tensor: str, shape: Shape, label: str = "") -> str:
        """Returns `tensor`, of as many elements, in that shape."""
        return self.add("Reshape", tensor, self.whole(*shape), label=label or "reshaped", allowzero=0)

    def spread(self, tensor: str, shape: Shape, label: str = "spread") -> str:
        """Returns `tensor` broadcast to that shape."""
        return self.add("Expand", tensor, self.whole(*shape), label=label)

    def reduced(self, op_type: str, tensor: str, axes: Sequence[int], *, keep: bool = True, label: str = "") -> str:
        """Reduces `tensor` along `axes` by a Reduce operator; returns it unchanged without axes."""
        if not axes:
            return tensor
        return self.add(op_type, tensor, self.whole(*axes, label="axes"), label=label or "sum", keepdims=int(keep))

    def summed_to(self, tensor: str, shape: Shape, wanted: Shape, label: str = "summed") -> str:
        """Sums `tensor`, of `shape`, over the axes along which `wanted` was broadcast: the derivative of that."""
        extra = len(shape) - len(wanted)
        axes = [*range(extra)]
        axes += [extra + axis for axis, size in enumerate(wanted) if size == 1 and shape[extra + axis] != 1]
        if not axes:
            return tensor
        summed = self.reduced("ReduceSum", tensor, axes, keep=False, label=label)
        left = tuple(size for axis, size in enumerate(shape) if axis not in axes)
        return summed if left == wanted else self.to_shape(summed, wanted, label=f"{label}_shape")

    def give(self, position: int, tensor: str, shape: Shape | None = None) -> None:
        """Sets a `result`, summed from the broadcast `shape`, by default the first output's, to the input's."""
        if not self.wants(position):
            return
        if shape is not None:
            self.result(position, self.summed_to(tensor, shape, self.shape(position)))
            return
        wanted = self._meeting(position)
        summed = self.summed_to(tensor, self.y_info().shape, wanted)
        self.result(position, summed if wanted == self.shape(position) else self.to_shape(summed, self.shape(position)))

    def met(self, position: int) -> str:
        """Returns the input at `position`, its axes aligned with the output's: before opset 7 a node says how."""
        wanted = self._meeting(position)
        return self.x(position) if wanted == self.shape(position) else self.to_shape(self.x(position), wanted, "met")

    def _meeting(self, position: int) -> Shape:
        """Returns the shape of an input that broadcasts to the output's by the last axes, as all nodes here do."""
        shape, aligned = self.shape(position), affine.aligned(self.call, position)
        return shape if aligned[len(aligned) - len(shape) :] == shape else aligned

    def transposed(self, tensor: str, order: Sequence[int], label: str = "transposed") -> str:
        """Returns `tensor` with its axes in that order; itself where they are."""
        return tensor if [*order] == [*range(len(order))] else self.add("Transpose", tensor, label=label, perm=[*order])

    @staticmethod
    def count(shape: Shape) -> int:
        """Returns the number of elements."""
        return math.prod(shape)


def _given(graph: Graph, name: str) -> NodeInput | None:
    info = graph.tensors.get(name) if name else None
    return NodeInput(info.name, info.shape, info.dtype, graph.constants.get(name)) if info is not None else None


@dataclass(frozen=True)
class TensorTerm:
    """Represents a tensor `name` that the backward pass of `node` reads or computes.

    Each operation on it yields another tensor, broadcast as usual. A number takes the element type
    `node.real`.
    """

    node: Backward
    name: str

    def of(self, op_type: str, *others: TensorTerm | float, **attributes: Any) -> TensorTerm:
        """Applies an operator to this term, its first input, and the others."""
        names = [self._operand(each) for each in others]
        return TensorTerm(self.node, self.node.add(op_type, self.name, *names, **attributes))

    def where(self, yes: TensorTerm | float, no: TensorTerm | float) -> TensorTerm:
        """Returns `yes` where this condition holds, else `no`."""
        return self.of("Where", yes, no)

    def equals(self, other: TensorTerm | float) -> TensorTerm:
        """Compares the two for equality; NaN equals nothing."""
        return self.of("Equal", other)

    def __gt__(self, other: TensorTerm | float) -> TensorTerm:
        return self.of("Greater", other)

    def __lt__(self, other: TensorTerm | float) -> TensorTerm:
        return self.of("Less", other)

    def __and__(self, other: TensorTerm) -> TensorTerm:
        return self.of("And", other)

    def __neg__(self) -> TensorTerm:
        return self.of("Neg")

    def __add__(self, other: TensorTerm | float) -> TensorTerm:
        return self.of("Add", other)

    def __sub__(self, other: TensorTerm | float) -> TensorTerm:
        return self.of("Sub", other)

    def __mul__(self, other: TensorTerm | float) -> TensorTerm:
        return self if isinstance(other, float) and other == 1.0 else self.of("Mul", other)

    def __truediv__(self, other: TensorTerm | float) -> TensorTerm:
        return self.of("Div", other)

    def __radd__(self, number: float) -> TensorTerm:
        return self + number

    def __rsub__(self, number: float) -> TensorTerm:
        return TensorTerm(self.node, self._operand(number)) - self

    def __rmul__(self, number: float) -> TensorTerm:
        return self * number

    def _operand(self, other: TensorTerm | float) -> str:
        return other.name if isinstance(other, TensorTerm) else self.node.constant(other)


@dataclass(frozen=True)
class Formula:
    """Represents a node y = f(x₀, x₁, …) whose inputs broadcast, for the formula of its derivative."""

    node: Backward

    @property
    def x(self) -> TensorTerm:
        """The first input."""
        return self.input(0)

    @property
    def y(self) -> TensorTerm:
        """The output."""
        return TensorTerm(self.node, self.node.y())

    @property
    def dy(self) -> TensorTerm:
        """The gradient of the output."""
        return TensorTerm(self.node, self.node.dy())

    def input(self, position: int) -> TensorTerm:
        """Returns the input at `position`, its axes aligned with the output's."""
        return TensorTerm(self.node, self.node.met(position))

    def number(self, attribute: str) -> float:
        """Returns an attribute. Raises UnsupportedError if it is left out and the schema has no default."""
        return float(self.node.required(attribute))

    def give(self, position: int, gradient: TensorTerm) -> None:
        """Sets the input's gradient to `gradient`, of the output's shape, summed over broadcast axes."""
        self.node.give(position, gradient.name)


def of_one_input(formulas: Mapping[str, Callable[[Formula], TensorTerm]]) -> dict[str, Callable[[Backward], None]]:
    """Returns derivatives of operators of which only the first input counts: dx by operator."""
    return {op_type: _written(formula) for op_type, formula in formulas.items()}


def _written(formula: Callable[[Formula], TensorTerm]) -> Callable[[Backward], None]:
    def write(node: Backward) -> None:
        if node.wants(0):
            node.result(0, formula(Formula(node)).name)

    return write
