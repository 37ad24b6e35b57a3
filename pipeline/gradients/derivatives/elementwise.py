"""Differentiates functions of one element, and of one element and a parameter.

Nothing overflows where the slope is finite. Slopes use y where that takes fewer passes. At a corner of a piecewise
linear function they take PyTorch's choice.
"""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.backward import Backward, Formula, TensorTerm, of_one_input

# Beyond this number the slopes of Gelu by tanh are 0 and 1 in float64 too, and powers of x still small.
_FLAT_FROM = 10.0


def _elu(f: Formula) -> TensorTerm:
    """Returns the slope: 1 above 0, α·e^x below."""
    alpha, slope = f.number("alpha"), _exp_below(f.x)
    return f.dy * (slope if alpha == 1.0 else (f.x > 0.0).where(1.0, alpha * slope))


def _leaky_relu(f: Formula) -> TensorTerm:
    """Returns the slope: 1 above 0, α elsewhere; y, which the next node reads too, is above 0 where x is if α is."""
    alpha = f.number("alpha")
    return ((f.y if alpha > 0.0 else f.x) > 0.0).where(f.dy, f.dy * alpha)


def _celu(f: Formula) -> TensorTerm:
    """Returns the slope: 1 above 0, e^(x/α) below."""
    alpha = f.number("alpha")
    return f.dy * (f.x.of("Min", 0.0) * (1.0 / alpha)).of("Exp")


def _selu(f: Formula) -> TensorTerm:
    """Returns the slope: γ above 0, γ·α·e^x below."""
    alpha, gamma = f.number("alpha"), f.number("gamma")
    return f.dy * (f.x > 0.0).where(gamma, (alpha * gamma) * _exp_below(f.x))


def _exp_below(x: TensorTerm) -> TensorTerm:
    """Returns e^x where x is below 0, else 1."""
    return x.of("Min", 0.0).of("Exp")


def _gelu(f: Formula) -> TensorTerm:
    """Returns Φ(x) + x·φ(x), with the normal distribution and density; or the slope of the approximation by tanh."""
    if f.node.attribute("approximate", b"none") in ("tanh", b"tanh"):
        return _gelu_by_tanh(f)
    below = 0.5 * ((f.x * math.sqrt(0.5)).of("Erf") + 1.0)
    density = (f.x * f.x * -0.5).of("Exp") * (1.0 / math.sqrt(2.0 * math.pi))
    return f.dy * (below + f.x * density)


def _gelu_by_tanh(f: Formula) -> TensorTerm:
    """Returns, with t = tanh u, u = a·x·(1 + b·x²): ½·(1 + t) + ½·x·(1 − t²)·u'."""
    a, b = math.sqrt(2.0 / math.pi), 0.044715
    x = f.x.of("Clip", -_FLAT_FROM, _FLAT_FROM)
    square = x * x
    t = (x * (square * (a * b) + a)).of("Tanh")
    inner = square * (3.0 * a * b) + a
    return f.dy * (0.5 * ((t + 1.0) + x * inner * (1.0 - t * t)))


def _mish(f: Formula) -> TensorTerm:
    """Returns, with t = tanh(softplus x): t + x·σ(x)·(1 − t²)."""
    t = f.x.of("Softplus").of("Tanh")
    return f.dy * (t + f.x * f.x.of("Sigmoid") * (1.0 - t * t))


def _softsign(f: Formula) -> TensorTerm:
    """Returns 1 / (1 + |x|)²."""
    size = f.x.of("Abs") + 1.0
    return f.dy / size / size


def _swish(f: Formula) -> TensorTerm:
    """Returns, with s = σ(α·x): s + α·y·(1 − s)."""
    alpha = f.number("alpha")
    s = (f.x * alpha).of("Sigmoid")
    return f.dy * (s + f.y * (1.0 - s) * alpha)


def _other_leg(x: TensorTerm) -> TensorTerm:
    """Returns 1 − x² without cancellation near −1 and 1."""
    return (1.0 - x) * (1.0 + x)


def clip(node: Backward) -> None:
    """Passes dy to x where y is x, else to the bound that y is."""
    f = Formula(node)
    if node.wants(0):
        f.give(0, f.x.equals(f.y).where(f.dy, 0.0))
    if node.wants(1):
        f.give(1, (f.x < f.y).where(f.dy, 0.0))
    if node.wants(2):
        f.give(2, (f.x > f.y).where(f.dy, 0.0))


def prelu(node: Backward) -> None:
    """Computes dx = dy where x > 0, else b · dy; db = dy · x where x ≤ 0."""
    f = Formula(node)
    if node.wants(0):
        f.give(0, (f.x > 0.0).where(f.dy, f.dy * f.input(1)))
    if node.wants(1):
        f.give(1, f.dy * f.x.of("Min", 0.0))


def _hard_swish(f: Formula) -> TensorTerm:
    """Returns the slope: 0 up to −3, 1 from 3, x/3 + ½ between."""
    between = f.dy * (f.x * (1.0 / 3.0) + 0.5)
    return (f.x < 3.0).where((f.x > -3.0).where(between, 0.0), f.dy)


def cast(node: Backward) -> None:
    """Computes dx = dy, in the element type of x."""
    is_same = node.given(0).dtype == node.y_info().dtype
    node.result(0, node.dy() if is_same else node.add("CastLike", node.dy(), node.x(0)))


def dropout(node: Backward) -> None:
    """Computes dx = dy; in training dy / (1 − ratio) where the node's mask says that x was kept, else 0.

    Raises UnsupportedError for training without a mask, and where it depends on the run.
    """
    is_training = node.opset >= 12 and node.has(2) and bool(node.value(2, "training_mode").any())
    ratio = float(node.value(1, "a ratio").item()) if is_training and node.has(1) else 0.5 * is_training
    if ratio == 0.0:
        node.result(0, node.dy())
        return
    if not node.makes(1):
        raise node.refusal("a mask as second output in training", "none", "Give the node that output.")
    kept = node.scaled(node.dy(), 1.0 / (1.0 - ratio) if ratio < 1.0 else 0.0)
    node.result(0, node.add("Where", node.y(1), kept, node.constant(0.0)))


DERIVATIVES = {
    "Clip": clip,
    "PRelu": prelu,
    "Cast": cast,
    "CastLike": cast,
    "Dropout": dropout,
    **of_one_input(
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
            "Acos": lambda f: -(f.dy / _other_leg(f.x).of("Sqrt")),
            "Acosh": lambda f: f.dy / f.y.of("Sinh"),
            "Asin": lambda f: f.dy / _other_leg(f.x).of("Sqrt"),
            "Asinh": lambda f: f.dy / f.y.of("Cosh"),
            "Atan": lambda f: f.dy / (1.0 + f.x * f.x),
            "Atanh": lambda f: f.dy / _other_leg(f.x),
            "Cos": lambda f: -(f.dy * f.x.of("Sin")),
            "Cosh": lambda f: f.dy * f.x.of("Sinh"),
            "Sin": lambda f: f.dy * f.x.of("Cos"),
            "Sinh": lambda f: f.dy * f.x.of("Cosh"),
            "Tan": lambda f: f.dy * (1.0 + f.y * f.y),
            "Tanh": lambda f: f.dy * (1.0 - f.y * f.y),
            "Abs": lambda f: f.dy * f.x.of("Sign"),
            "HardSigmoid": lambda f: ((f.y > 0.0) & (f.y < 1.0)).where(f.dy * f.number("alpha"), 0.0),
            "HardSwish": _hard_swish,
            "LeakyRelu": _leaky_relu,
            "Relu": lambda f: (f.y > 0.0).where(f.dy, 0.0),
            "Shrink": lambda f: (f.x.of("Abs") > f.number("lambd")).where(f.dy, 0.0),
            "ThresholdedRelu": lambda f: (f.x > f.number("alpha")).where(f.dy, 0.0),
            "Identity": lambda f: f.dy,
        }
    ),
}
FLAT = ("BitCast",)
