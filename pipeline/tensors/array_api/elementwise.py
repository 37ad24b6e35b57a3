"""Functions of each element, of one tensor or of two that broadcast against each other."""

from __future__ import annotations

import operator

from texelscope.pipeline.tensors import Tensor, apply, where
from texelscope.pipeline.tensors import maximum as larger
from texelscope.pipeline.tensors import minimum as smaller
from texelscope.pipeline.tensors.array_api.made import Operand, of_one, of_real, of_two
from texelscope.pipeline.tensors.core import REAL
from texelscope.pipeline.tensors.types import beside, cast, real

abs = of_one("abs", "|x|", Tensor.abs)
positive = of_one("positive", "x", lambda x: x)
negative = of_one("negative", "−x", operator.neg)
sign = of_one("sign", "−1, 0 or 1", Tensor.sign)
square = of_one("square", "x · x", Tensor.square)
reciprocal = of_real("reciprocal", "1 / x", "Reciprocal")
floor = of_one("floor", "The next whole number below.", Tensor.floor)
ceil = of_one("ceil", "The next whole number above.", Tensor.ceil)
round = of_one("round", "The nearest whole number, the even one of two.", Tensor.round)
trunc = of_one("trunc", "Cut towards zero.", lambda x: where(x < 0, x.ceil(), x.floor()) if x.dtype == REAL else x)

add = of_two("add", "x1 + x2", operator.add)
subtract = of_two("subtract", "x1 − x2", operator.sub)
multiply = of_two("multiply", "x1 · x2", operator.mul)
divide = of_two("divide", "x1 / x2, real", operator.truediv)
floor_divide = of_two("floor_divide", "⌊x1 / x2⌋", operator.floordiv)
remainder = of_two("remainder", "x1 − x2 · ⌊x1 / x2⌋", operator.mod)
pow = of_two("pow", "x1 to the power of x2", operator.pow)
maximum = of_two("maximum", "The larger of both.", larger)
minimum = of_two("minimum", "The smaller of both.", smaller)

equal = of_two("equal", "Whether both are equal.", operator.eq)
not_equal = of_two("not_equal", "Whether they differ.", operator.ne)
less = of_two("less", "Whether x1 is smaller.", operator.lt)
less_equal = of_two("less_equal", "Whether x1 is not larger.", operator.le)
greater = of_two("greater", "Whether x1 is larger.", operator.gt)
greater_equal = of_two("greater_equal", "Whether x1 is not smaller.", operator.ge)

bitwise_and = of_two("bitwise_and", "Bits of both.", operator.and_)
bitwise_or = of_two("bitwise_or", "Bits of either.", operator.or_)
bitwise_xor = of_two("bitwise_xor", "Bits of one of them.", operator.xor)
bitwise_left_shift = of_two("bitwise_left_shift", "x1 · 2^x2", operator.lshift)
bitwise_right_shift = of_two("bitwise_right_shift", "⌊x1 / 2^x2⌋", operator.rshift)
bitwise_invert = of_one("bitwise_invert", "Every bit turned over.", operator.invert)

logical_and = of_two("logical_and", "Whether both are true.", lambda x, y: _truth(x) & _truth(y))
logical_or = of_two("logical_or", "Whether one is true.", lambda x, y: _truth(x) | _truth(y))
logical_xor = of_two("logical_xor", "Whether one alone is true.", lambda x, y: _truth(x) ^ _truth(y))
logical_not = of_one("logical_not", "Whether it is not true.", lambda x: ~_truth(x))


def isnan(x: Tensor, /) -> Tensor:
    """Whether it is no number."""
    return apply("IsNaN", x) if x.dtype == REAL else x != x


def isinf(x: Tensor, /) -> Tensor:
    """Whether it is an infinity."""
    return apply("IsInf", x) if x.dtype == REAL else x != x


def isfinite(x: Tensor, /) -> Tensor:
    """Whether it is a number that is no infinity."""
    return ~(isnan(x) | isinf(x))


def signbit(x: Tensor, /) -> Tensor:
    """Whether it is below zero, or the zero below zero; of NaN never."""
    return (x < 0) | ((x == 0) & (1.0 / x < 0)) if x.dtype == REAL else x < 0


def _copysign(x: Tensor, y: Tensor) -> Tensor:
    away = real(x).abs()
    return where(signbit(y), -away, away)


copysign = of_two("copysign", "|x1| with the sign of x2", _copysign)


def clip(x: Tensor, /, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """Held between two bounds, numbers or tensors, in the type of `x`."""
    above = x if min is None else larger(x, cast(beside(x, min), x.dtype))
    return above if max is None else smaller(above, cast(beside(x, max), x.dtype))


def _truth(x: Tensor) -> Tensor:
    return cast(x, "bool")
