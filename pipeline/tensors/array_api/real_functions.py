"""Functions of real numbers; whole ones are made real."""

from __future__ import annotations

import math

from texelscope.pipeline.tensors import Tensor, maximum, minimum, where
from texelscope.pipeline.tensors.array_api.elementwise import copysign, isinf
from texelscope.pipeline.tensors.array_api.made import of_one, of_real, of_two
from texelscope.pipeline.tensors.types import real

exp = of_real("exp", "eˣ", "Exp")
log = of_real("log", "The natural logarithm.", "Log")
log2 = of_one("log2", "The logarithm to base 2.", lambda x: x.log() * (1.0 / math.log(2.0)))
log10 = of_one("log10", "The logarithm to base 10.", lambda x: x.log() * (1.0 / math.log(10.0)))
sqrt = of_real("sqrt", "The square root.", "Sqrt")
sin = of_real("sin", "The sine.", "Sin")
cos = of_real("cos", "The cosine.", "Cos")
tan = of_real("tan", "The tangent.", "Tan")
asin = of_real("asin", "The angle with that sine.", "Asin")
acos = of_real("acos", "The angle with that cosine.", "Acos")
atan = of_real("atan", "The angle with that tangent.", "Atan")
sinh = of_real("sinh", "The hyperbolic sine.", "Sinh")
cosh = of_real("cosh", "The hyperbolic cosine.", "Cosh")
tanh = of_real("tanh", "The hyperbolic tangent.", "Tanh")
asinh = of_real("asinh", "What has that hyperbolic sine.", "Asinh")
acosh = of_real("acosh", "What has that hyperbolic cosine.", "Acosh")
atanh = of_real("atanh", "What has that hyperbolic tangent.", "Atanh")


def expm1(x: Tensor, /) -> Tensor:
    """eˣ − 1, of small x by 2t / (1 − t) with t = tanh(x/2), which loses no digits."""
    x = real(x)
    half = (x.clip(-1.0, 1.0) * 0.5).tanh()
    return where(x.abs() < 1.0, 2.0 * half / (1.0 - half), x.exp() - 1.0)


def log1p(x: Tensor, /) -> Tensor:
    """log(1 + x), times what 1 + x has lost of x (Kahan; Goldberg, What Every Computer Scientist Should Know, 1991)."""
    x = real(x)
    more = x + 1.0
    plain = more == 1.0
    kept = x / where(plain, 1.0, more - 1.0)
    return where(plain, x, more.log() * where(isinf(more), 1.0, kept))


def _logaddexp(x: Tensor, y: Tensor) -> Tensor:
    largest = maximum(x, y)
    apart = where(x == y, 0.0, x - y)
    return largest + log1p((-apart.abs()).exp())


def _hypot(x: Tensor, y: Tensor) -> Tensor:
    """By the ratio of both, so that no square overflows."""
    x, y = real(x).abs(), real(y).abs()
    longer, shorter = maximum(x, y), minimum(x, y)
    ratio = shorter / where((longer == 0) | isinf(longer), 1.0, longer)
    return where(isinf(longer), longer, longer * (ratio.square() + 1.0).sqrt())


def _atan2(y: Tensor, x: Tensor) -> Tensor:
    """atan(y / x), half a turn on where x is below zero; two infinities and two zeros as ±1."""
    y, x = real(y), real(x)
    alike = (isinf(y) & isinf(x)) | ((y == 0) & (x == 0))
    y_away = where(y == 0, copysign(0.0, y), copysign(1.0, y))
    ratio = where(alike, y_away, y) / where(alike, copysign(1.0, x), x)
    behind = where(copysign(1.0, x) < 0, copysign(math.pi, y), 0.0)
    return atan(ratio) + behind


logaddexp = of_two("logaddexp", "log(exp(x1) + exp(x2))", _logaddexp)
hypot = of_two("hypot", "√(x1² + x2²)", _hypot)
atan2 = of_two("atan2", "The angle of the point (x2, x1), from −π to π.", _atan2)
