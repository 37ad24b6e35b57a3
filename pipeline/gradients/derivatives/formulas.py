"""Derivatives written as on paper: + − · / and comparisons of tensors and numbers, each of them a backward node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.gradients.derivatives.backward import Backward


@dataclass(frozen=True)
class TensorTerm:
    """A tensor `name` that the backward pass of `node` reads or makes.

    What is computed with it is a further tensor, broadcast as everywhere. A number takes the element type
    `node.real`.
    """

    node: Backward
    name: str

    def of(self, op_type: str, *others: TensorTerm | float, **attributes: Any) -> TensorTerm:
        """What an operator makes of this term, as its first input, and the others."""
        names = [self._operand(each) for each in others]
        return TensorTerm(self.node, self.node.add(op_type, self.name, *names, **attributes))

    def where(self, yes: TensorTerm | float, no: TensorTerm | float) -> TensorTerm:
        """`yes` where this condition holds, else `no`."""
        return self.of("Where", yes, no)

    def equals(self, other: TensorTerm | float) -> TensorTerm:
        """Where the two are equal; NaN equals nothing."""
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
    """A node y = f(x₀, x₁, …) whose inputs meet element by element, as the formula of its derivative sees it."""

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
        """The gradient that arrives at the output."""
        return TensorTerm(self.node, self.node.dy())

    def input(self, position: int) -> TensorTerm:
        """The input at `position`, its axes where they meet those of the output."""
        return TensorTerm(self.node, self.node.met(position))

    def number(self, attribute: str) -> float:
        """An attribute. Raises UnsupportedError if it is left out and the schema has no default."""
        return float(self.node.required(attribute))

    def give(self, position: int, gradient: TensorTerm) -> None:
        """Makes `gradient`, of the output's shape, that of the input, summed over what was broadcast."""
        self.node.give(position, gradient.name)


def of_one_input(formulas: Mapping[str, Callable[[Formula], TensorTerm]]) -> dict[str, Callable[[Backward], None]]:
    """Derivatives of operators of one input, or of whose inputs only the first counts: what dx is, by operator."""
    return {op_type: _written(formula) for op_type, formula in formulas.items()}


def _written(formula: Callable[[Formula], TensorTerm]) -> Callable[[Backward], None]:
    def write(node: Backward) -> None:
        if node.wants(0):
            node.result(0, formula(Formula(node)).name)

    return write
