"""Activations that shaders apply by mistake, or in place of another: by name, with what gives them away in the text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Curve:
    """A function of one value; `calls` are the GLSL built-ins in which it is written."""

    function: Callable[[Array], Array]
    calls: tuple[str, ...]


def _sigmoid(x: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def _erf(x: Array) -> Array:
    """Within 1.5e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26."""
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.asarray(np.sign(x) * (1.0 - series * np.exp(-x * x)))


def leaky(slope: float) -> Callable[[Array], Array]:
    """Negative values times a slope, which no two frameworks have the same: it is fitted."""
    return lambda x: np.where(x < 0.0, x * np.float32(slope), x)


def _hard(slope: float) -> Callable[[Array], Array]:
    return lambda x: np.clip(x * slope + 0.5, 0.0, 1.0)


# Those of a slope, up to this one.
LEAKY_CALLS, STEEPEST = ("max", "mix"), 0.5
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "Relu": Curve(lambda x: np.maximum(x, 0.0), ("max", "step")),
        "Sigmoid": Curve(_sigmoid, ("exp",)),
        "Tanh": Curve(np.tanh, ("tanh", "exp")),
        "Abs": Curve(np.abs, ("abs",)),
        "Relu6": Curve(lambda x: np.clip(x, 0.0, 6.0), ("clamp", "min")),
        "Softplus": Curve(lambda x: np.logaddexp(x, 0.0), ("log",)),
        "Square": Curve(np.square, ("pow",)),
        "Exp": Curve(np.exp, ("exp",)),
        "Sqrt": Curve(np.sqrt, ("sqrt",)),
        "Swish": Curve(lambda x: x * _sigmoid(x), ("exp",)),
        "Elu": Curve(lambda x: np.where(x < 0.0, np.expm1(np.minimum(x, 0.0)), x), ("exp",)),
        # The slopes are ONNX's default, and that of HardSwish, which PyTorch has.
        "HardSigmoid 0.2": Curve(_hard(0.2), ("clamp",)),
        "HardSigmoid 1/6": Curve(_hard(1.0 / 6.0), ("clamp",)),
        "HardSwish": Curve(lambda x: x * _hard(1.0 / 6.0)(x), ("clamp",)),
        "Gelu": Curve(lambda x: 0.5 * x * (1.0 + _erf(x / math.sqrt(2.0))), ("tanh", "exp")),
        "Gelu by tanh": Curve(
            lambda x: 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))), ("tanh", "exp")
        ),
        "Selu": Curve(
            lambda x: 1.0507009873554805 * np.where(x < 0.0, 1.6732632423543772 * np.expm1(np.minimum(x, 0.0)), x),
            ("exp",),
        ),
        "Mish": Curve(lambda x: x * np.tanh(np.logaddexp(x, 0.0)), ("tanh", "log")),
        "Softsign": Curve(lambda x: x / (1.0 + np.abs(x)), ("abs",)),
        "HardTanh": Curve(lambda x: np.clip(x, -1.0, 1.0), ("clamp",)),
        "Log": Curve(np.log, ("log",)),
        "Reciprocal": Curve(lambda x: 1.0 / x, ()),
    }
)
