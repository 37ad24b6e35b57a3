"""Smooth functions of one element: exponentials, and activations that are made of them.

Written so that nothing overflows where the slope is finite. From y where that takes fewer passes.
"""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.formulas import Formula, TensorTerm, of_one_input

# Beyond it the slopes of Gelu by tanh are 0 and 1 in float64 too, and powers of x still small.
_FLAT_FROM = 10.0


def _elu(f: Formula) -> TensorTerm:
    """1 above 0, α·e^x below."""
    alpha, slope = f.number("alpha"), _exp_below(f.x)
    return f.dy * (slope if alpha == 1.0 else (f.x > 0.0).where(1.0, alpha * slope))


def _celu(f: Formula) -> TensorTerm:
    """1 above 0, e^(x/α) below."""
    alpha = f.number("alpha")
    return f.dy * (f.x.of("Min", 0.0) * (1.0 / alpha)).of("Exp")


def _selu(f: Formula) -> TensorTerm:
    """γ above 0, γ·α·e^x below."""
    alpha, gamma = f.number("alpha"), f.number("gamma")
    return f.dy * (f.x > 0.0).where(gamma, (alpha * gamma) * _exp_below(f.x))


def _exp_below(x: TensorTerm) -> TensorTerm:
    """e^x where x is below 0, else 1."""
    return x.of("Min", 0.0).of("Exp")


def _gelu(f: Formula) -> TensorTerm:
    """Φ(x) + x·φ(x), with the normal distribution and its density; or the slope of what stands for that."""
    if f.node.attribute("approximate", b"none") in ("tanh", b"tanh"):
        return _gelu_by_tanh(f)
    below = 0.5 * ((f.x * math.sqrt(0.5)).of("Erf") + 1.0)
    density = (f.x * f.x * -0.5).of("Exp") * (1.0 / math.sqrt(2.0 * math.pi))
    return f.dy * (below + f.x * density)


def _gelu_by_tanh(f: Formula) -> TensorTerm:
    """With t = tanh u, u = a·x·(1 + b·x²): ½·(1 + t) + ½·x·(1 − t²)·u'."""
    a, b = math.sqrt(2.0 / math.pi), 0.044715
    x = f.x.of("Clip", -_FLAT_FROM, _FLAT_FROM)
    square = x * x
    t = (x * (square * (a * b) + a)).of("Tanh")
    inner = square * (3.0 * a * b) + a
    return f.dy * (0.5 * ((t + 1.0) + x * inner * (1.0 - t * t)))


def _mish(f: Formula) -> TensorTerm:
    """With t = tanh(softplus x): t + x·σ(x)·(1 − t²)."""
    t = f.x.of("Softplus").of("Tanh")
    return f.dy * (t + f.x * f.x.of("Sigmoid") * (1.0 - t * t))


def _softsign(f: Formula) -> TensorTerm:
    """1 / (1 + |x|)²."""
    size = f.x.of("Abs") + 1.0
    return f.dy / size / size


def _swish(f: Formula) -> TensorTerm:
    """With s = σ(α·x): s + α·y·(1 − s)."""
    alpha = f.number("alpha")
    s = (f.x * alpha).of("Sigmoid")
    return f.dy * (s + f.y * (1.0 - s) * alpha)


DERIVATIVES = of_one_input(
    {
        "Celu": _celu,
        "Elu": _elu,
        "Erf": lambda f: f.dy * (-(f.x * f.x)).of("Exp") * (2.0 / math.sqrt(math.pi)),
        "Exp": lambda f: f.dy * f.y,
        "Gelu": _gelu,
        "Log": lambda f: f.dy / f.x,
        "Mish": _mish,
        "Selu": _selu,
        "Sigmoid": lambda f: f.dy * (f.y * (1.0 - f.y)),
        "Softplus": lambda f: f.dy * f.x.of("Sigmoid"),
        "Softsign": _softsign,
        "Swish": _swish,
    }
)
FLAT = ()
