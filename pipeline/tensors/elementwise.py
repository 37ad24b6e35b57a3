"""Defines functions of each element of a tensor of real numbers, and softmax along an axis."""

from __future__ import annotations

from typing import Self

from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import Core
from texelscope.pipeline.tensors.types import axes_of, real


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
