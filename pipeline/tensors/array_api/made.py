"""How functions of the standard are made of operators: one name, its operands, what it says of itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor, apply
from texelscope.pipeline.tensors.types import real, together

Operand = Tensor | float
One = Callable[[Tensor], Tensor]
Two = Callable[[Operand, Operand], Tensor]


def of_one(name: str, says: str, compute: One) -> One:
    """A function of one tensor."""

    def function(x: Tensor, /) -> Tensor:
        if not isinstance(x, Tensor):
            raise TexelscopeError(name, "a tensor", type(x).__name__, "Make one with asarray(...).")
        return compute(x)

    _name(function, name, says)
    return function


def of_real(name: str, says: str, op_type: str) -> One:
    """An operator on real numbers; whole ones are made real."""
    return of_one(name, says, lambda x: apply(op_type, real(x)))


def of_two(name: str, says: str, compute: Callable[[Any, Any], Tensor]) -> Two:
    """A function of two operands, one of which may be a number."""

    def function(x1: Operand, x2: Operand, /) -> Tensor:
        return compute(*pair(name, x1, x2))

    _name(function, name, says)
    return function


def pair(who: str, x1: Operand, x2: Operand) -> tuple[Tensor, Tensor]:
    """Both as tensors in the type in which they meet. Raises TexelscopeError where neither is a tensor."""
    if isinstance(x1, Tensor):
        return together(x1, x2)
    if not isinstance(x2, Tensor):
        raise TexelscopeError(who, "a tensor among both", "two numbers", "Make one with asarray(...).")
    second, first = together(x2, x1)
    return first, second


def _name(function: Callable[..., Tensor], name: str, says: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = says
