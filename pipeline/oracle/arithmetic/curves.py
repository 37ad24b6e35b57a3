"""Activations by name, as formulas in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array

_ERF = np.vectorize(math.erf, otypes=[np.float64])

# Each of x and the parameters that an operator's attributes give for it.
ACTIVATIONS: Mapping[str, Callable[..., Array]] = MappingProxyType(
    {
        "": lambda x, *_: x,
        "Clip": lambda x, low, high: np.clip(x, low, high),
        "Elu": lambda x, alpha=1.0: np.where(x > 0, x, alpha * np.expm1(x)),
        "HardSigmoid": lambda x, alpha=0.2, beta=0.5: np.clip(alpha * x + beta, 0.0, 1.0),
        "LeakyRelu": lambda x, alpha=0.01: np.where(x >= 0, x, alpha * x),
        "Relu": lambda x: np.maximum(x, 0.0),
        "Selu": lambda x, alpha=1.6732632, gamma=1.050701: gamma * np.where(x > 0, x, alpha * np.expm1(x)),
        "Sigmoid": lambda x: logistic(x),
        "Softplus": lambda x: np.logaddexp(0.0, x),
        "Softsign": lambda x: x / (1.0 + np.abs(x)),
        "Tanh": np.tanh,
        "ThresholdedRelu": lambda x, alpha=1.0: np.where(x > alpha, x, 0.0),
    }
)


def activation(name: object, x: Array, parameters: Sequence[float]) -> Array:
    """f(x). Raises ValueError for a name that is not known."""
    text = "" if name is None else str(name)
    if text not in ACTIVATIONS:
        raise ValueError(f"no activation '{text}'")
    return ACTIVATIONS[text](x.astype(np.float64), *parameters)


def logistic(x: Array) -> Array:
    """1 / (1 + e^−x)."""
    y: Array = 1.0 / (1.0 + np.exp(-np.asarray(x, dtype=np.float64)))
    return y


def normal_share(x: Array) -> Array:
    """Φ(x), the share of a normal distribution below x."""
    share: Array = 0.5 * (1.0 + _ERF(np.asarray(x, dtype=np.float64) / math.sqrt(2.0)))
    return share


def softmax(x: Array, axes: tuple[int, ...] = (-1,)) -> Array:
    """e^x over its sum along `axes`."""
    powers: Array = np.exp(x - x.max(axis=axes, keepdims=True))
    share: Array = powers / powers.sum(axis=axes, keepdims=True)
    return share
