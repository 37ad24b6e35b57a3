"""Functions of each element of a tensor of real numbers, and those that one axis shares: softmax."""

from __future__ import annotations

from typing import Self

from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import Core
from texelscope.pipeline.tensors.types import axes_of, real


class Functions(Core):
    """Functions of real numbers; whole ones are made real."""

    def relu(self) -> Self:
        """max(x, 0)"""
        return apply("Relu", real(self))

    def sigmoid(self) -> Self:
        """1 / (1 + exp(−x))"""
        return apply("Sigmoid", real(self))

    def tanh(self) -> Self:
        """The hyperbolic tangent."""
        return apply("Tanh", real(self))

    def exp(self) -> Self:
        """eˣ"""
        return apply("Exp", real(self))

    def log(self) -> Self:
        """The natural logarithm."""
        return apply("Log", real(self))

    def sqrt(self) -> Self:
        """The square root."""
        return apply("Sqrt", real(self))

    def reciprocal(self) -> Self:
        """1 / x"""
        return apply("Reciprocal", real(self))

    def sin(self) -> Self:
        """The sine."""
        return apply("Sin", real(self))

    def cos(self) -> Self:
        """The cosine."""
        return apply("Cos", real(self))

    def tan(self) -> Self:
        """The tangent."""
        return apply("Tan", real(self))

    def erf(self) -> Self:
        """The error function."""
        return apply("Erf", real(self))

    def softplus(self) -> Self:
        """log(1 + exp(x))"""
        return apply("Softplus", real(self))

    def softsign(self) -> Self:
        """x / (1 + |x|)"""
        return apply("Softsign", real(self))

    def hardswish(self) -> Self:
        """x · min(max(x/6 + ½, 0), 1)"""
        return apply("HardSwish", real(self))

    def mish(self) -> Self:
        """x · tanh(softplus(x))"""
        return apply("Mish", real(self))

    def square(self) -> Self:
        """x · x"""
        return apply("Mul", self, self)

    def silu(self) -> Self:
        """x · sigmoid(x)"""
        return apply("Mul", real(self), self.sigmoid())

    def gelu(self, approximate: str = "none") -> Self:
        """x times the normal distribution up to x; `approximate` may be "tanh"."""
        return apply("Gelu", real(self), approximate=approximate)

    def leaky_relu(self, negative_slope: float = 0.01) -> Self:
        """x, or x times `negative_slope` below zero."""
        return apply("LeakyRelu", real(self), alpha=negative_slope)

    def elu(self, alpha: float = 1.0) -> Self:
        """x, or α · (exp(x) − 1) below zero."""
        return apply("Elu", real(self), alpha=alpha)

    def softmax(self, axis: int = -1) -> Self:
        """exp(x), divided by its sum along the axis."""
        return apply("Softmax", real(self), axis=axes_of("softmax", self.ndim, axis)[0])

    def log_softmax(self, axis: int = -1) -> Self:
        """The logarithm of `softmax`."""
        return apply("LogSoftmax", real(self), axis=axes_of("log_softmax", self.ndim, axis)[0])
