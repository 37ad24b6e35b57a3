"""Defines functions of each element: of real numbers, bits of whole numbers, truth; and softmax along an axis."""

from __future__ import annotations

from typing import Any, Self

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.arithmetic import Arithmetic
from texelscope.pipeline.tensors.core import REAL, Core
from texelscope.pipeline.tensors.types import axes_of, beside, broadcast_shape, real, together


class Functions(Core):
    """Implements functions of real numbers; whole ones are converted."""

    def relu(self) -> Self:
        """Returns max(x, 0)."""
        return apply("Relu", real(self))

    def sigmoid(self) -> Self:
        """Returns 1 / (1 + exp(−x))."""
        return apply("Sigmoid", real(self))

    def tanh(self) -> Self:
        """Returns the hyperbolic tangent."""
        return apply("Tanh", real(self))

    def exp(self) -> Self:
        """Returns eˣ."""
        return apply("Exp", real(self))

    def log(self) -> Self:
        """Returns the natural logarithm."""
        return apply("Log", real(self))

    def sqrt(self) -> Self:
        """Returns the square root."""
        return apply("Sqrt", real(self))

    def reciprocal(self) -> Self:
        """Returns 1 / x."""
        return apply("Reciprocal", real(self))

    def sin(self) -> Self:
        """Returns the sine."""
        return apply("Sin", real(self))

    def cos(self) -> Self:
        """Returns the cosine."""
        return apply("Cos", real(self))

    def tan(self) -> Self:
        """Returns the tangent."""
        return apply("Tan", real(self))

    def erf(self) -> Self:
        """Returns the error function."""
        return apply("Erf", real(self))

    def softplus(self) -> Self:
        """log(1 + exp(x))"""
        return apply("Softplus", real(self))

    def softsign(self) -> Self:
        """Returns x / (1 + |x|)."""
        return apply("Softsign", real(self))

    def hardswish(self) -> Self:
        """Returns x · min(max(x/6 + ½, 0), 1)."""
        return apply("HardSwish", real(self))

    def mish(self) -> Self:
        """Returns x · tanh(softplus(x))."""
        return apply("Mish", real(self))

    def square(self) -> Self:
        """Returns x · x."""
        return apply("Mul", self, self)

    def silu(self) -> Self:
        """Returns x · sigmoid(x)."""
        return apply("Mul", real(self), self.sigmoid())

    def gelu(self, approximate: str = "none") -> Self:
        """x times the normal distribution up to x; `approximate` may be "tanh"."""
        return apply("Gelu", real(self), approximate=approximate)

    def leaky_relu(self, negative_slope: float = 0.01) -> Self:
        """x, or x times `negative_slope` below zero."""
        return apply("LeakyRelu", real(self), alpha=negative_slope)

    def elu(self, alpha: float = 1.0) -> Self:
        """Returns x, or α · (exp(x) − 1) below zero."""
        return apply("Elu", real(self), alpha=alpha)

    def softmax(self, axis: int = -1) -> Self:
        """Returns exp(x), divided by its sum along the axis."""
        return apply("Softmax", real(self), axis=axes_of("softmax", self.ndim, axis)[0])

    def log_softmax(self, axis: int = -1) -> Self:
        """Returns the logarithm of `softmax`."""
        return apply("LogSoftmax", real(self), axis=axes_of("log_softmax", self.ndim, axis)[0])


class Bits(Arithmetic):
    """Implements `& | ^ ~ << >>` of truth and of whole numbers; real numbers raise TexelscopeError."""

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
