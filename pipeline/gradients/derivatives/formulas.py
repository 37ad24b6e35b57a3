"""Derivatives written as on paper: + − · / and comparisons of tensors and numbers, each of them a backward node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.gradients.derivatives.backward import Backward


@dataclass(frozen=True)
class Term:
    """A tensor `name` that the backward pass of `node` reads or makes.

    What is computed with it is a further tensor, broadcast as everywhere. A number takes the element type
    `node.real`.
    """

    node: Backward
    name: str

    def of(self, op_type: str, *others: Term | float, **attributes: Any) -> Term:
        """What an operator makes of this term, as its first input, and the others."""
        names = [self._operand(each) for each in others]
        return Term(self.node, self.node.add(op_type, self.name, *names, **attributes))

    def where(self, yes: Term | float, no: Term | float) -> Term:
        """`yes` where this condition holds, else `no`."""
        return self.of("Where", yes, no)

    def equals(self, other: Term | float) -> Term:
        """Where the two are equal; NaN equals nothing."""
        return self.of("Equal", other)

    def __gt__(self, other: Term | float) -> Term:
        return self.of("Greater", other)

    def __lt__(self, other: Term | float) -> Term:
        return self.of("Less", other)

    def __and__(self, other: Term) -> Term:
        return self.of("And", other)

    def __neg__(self) -> Term:
        return self.of("Neg")

    def __add__(self, other: Term | float) -> Term:
        return self.of("Add", other)

    def __sub__(self, other: Term | float) -> Term:
        return self.of("Sub", other)

    def __mul__(self, other: Term | float) -> Term:
        return self if isinstance(other, float) and other == 1.0 else self.of("Mul", other)

    def __truediv__(self, other: Term | float) -> Term:
        return self.of("Div", other)

    def __radd__(self, number: float) -> Term:
        return self + number

    def __rsub__(self, number: float) -> Term:
        return Term(self.node, self._operand(number)) - self

    def __rmul__(self, number: float) -> Term:
        return self * number

    def _operand(self, other: Term | float) -> str:
        return other.name if isinstance(other, Term) else self.node.constant(other)


@dataclass(frozen=True)
class Formula:
    """A node y = f(x₀, x₁, …) whose inputs meet element by element, as the formula of its derivative sees it."""

    node: Backward

    @property
    def x(self) -> Term:
        """The first input."""
        return self.input(0)

    @property
    def y(self) -> Term:
        """The output."""
        return Term(self.node, self.node.y())

    @property
    def dy(self) -> Term:
        """The gradient that arrives at the output."""
        return Term(self.node, self.node.dy())

    def input(self, position: int) -> Term:
        """The input at `position`, its axes where they meet those of the output."""
        return Term(self.node, self.node.met(position))

    def number(self, attribute: str) -> float:
        """An attribute. Raises UnsupportedError if it is left out and the schema has no default."""
        return float(self.node.required(attribute))

    def give(self, position: int, gradient: Term) -> None:
        """Makes `gradient`, of the output's shape, that of the input, summed over what was broadcast."""
        self.node.give(position, gradient.name)


def of_one_input(formulas: Mapping[str, Callable[[Formula], Term]]) -> dict[str, Callable[[Backward], None]]:
    """Derivatives of operators of one input, or of whose inputs only the first counts: what dx is, by operator."""
    return {op_type: _written(formula) for op_type, formula in formulas.items()}


def _written(formula: Callable[[Formula], Term]) -> Callable[[Backward], None]:
    def write(node: Backward) -> None:
        if node.wants(0):
            node.result(0, formula(Formula(node)).name)

    return write
