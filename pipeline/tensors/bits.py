"""Bits of whole numbers, and the same operators on truth; shifts."""

from __future__ import annotations

from typing import Any, Self

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.arithmetic import Arithmetic
from texelscope.pipeline.tensors.core import REAL
from texelscope.pipeline.tensors.types import beside, broadcast_shape, together


class Bits(Arithmetic):
    """`& | ^ ~ << >>` of truth and of whole numbers. Real numbers have no bits: they raise TexelscopeError."""

    def _joined_bits(self, op_type: str, other: Any) -> Self:
        x, y = together(self, other)
        x._check_has_bits(op_type)
        broadcast_shape(op_type, x.shape, y.shape)
        return apply(op_type if x.dtype == "bool" else f"Bitwise{op_type}", x, y)

    def _check_has_bits(self, who: str) -> None:
        if self.dtype == REAL:
            raise TexelscopeError(who, "whole numbers or truth", REAL, "Compare them first, or use long().")

    def __and__(self, other: Any) -> Self:
        return self._joined_bits("And", other)

    def __or__(self, other: Any) -> Self:
        return self._joined_bits("Or", other)

    def __xor__(self, other: Any) -> Self:
        return self._joined_bits("Xor", other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Self:
        self._check_has_bits("Not")
        return apply("Not" if self.dtype == "bool" else "BitwiseNot", self)

    def __lshift__(self, other: Any) -> Self:
        x, y = self._shifted(other)
        return x * 2**y

    def __rshift__(self, other: Any) -> Self:
        x, y = self._shifted(other)
        return x // 2**y

    def _shifted(self, other: Any) -> tuple[Self, Self]:
        x, y = together(self, other)
        x._check_has_bits("shift")
        return x, y

    def __rlshift__(self, other: Any) -> Self:
        left: Self = beside(self, other)
        return left << self

    def __rrshift__(self, other: Any) -> Self:
        left: Self = beside(self, other)
        return left >> self

    # -- in place --------------------------------------------------------------------------------------------

    def __iand__(self, other: Any) -> Self:
        return self.assign(self & other)

    def __ior__(self, other: Any) -> Self:
        return self.assign(self | other)

    def __ixor__(self, other: Any) -> Self:
        return self.assign(self ^ other)

    def __ilshift__(self, other: Any) -> Self:
        return self.assign(self << other)

    def __irshift__(self, other: Any) -> Self:
        return self.assign(self >> other)
