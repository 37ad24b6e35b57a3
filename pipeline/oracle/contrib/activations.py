"""Evaluates activations, alone or of a sum with a bias, and defines curves by name, as formulas in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

_ERF = np.vectorize(math.erf, otypes=[np.float64])
# Each maps x and the parameters that an operator's attributes give for it.
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
    """Returns f(x). Raises ValueError for an unknown name."""
    text = "" if name is None else str(name)
    if text not in ACTIVATIONS:
        raise ValueError(f"no activation '{text}'")
    return ACTIVATIONS[text](x.astype(np.float64), *parameters)


def logistic(x: Array) -> Array:
    """Returns 1 / (1 + e^−x)."""
    y: Array = 1.0 / (1.0 + np.exp(-np.asarray(x, dtype=np.float64)))
    return y


def normal_share(x: Array) -> Array:
    """Returns Φ(x), the share of a normal distribution below x."""
    share: Array = 0.5 * (1.0 + _ERF(np.asarray(x, dtype=np.float64) / math.sqrt(2.0)))
    return share


def softmax(x: Array, axes: tuple[int, ...] = (-1,)) -> Array:
    """Returns e^x over its sum along `axes`."""
    powers: Array = np.exp(x - x.max(axis=axes, keepdims=True))
    share: Array = powers / powers.sum(axis=axes, keepdims=True)
    return share


def gelu(invocation: Invocation) -> Outputs:
    """Evaluates Gelu: y = x · Φ(x), Φ the share of a normal distribution below x. Maps X → its shape."""
    x = invocation.required(0)
    return ((x * normal_share(x)).astype(x.dtype),)


def bias_gelu(invocation: Invocation) -> Outputs:
    """Evaluates BiasGelu: Gelu of A + B, B one-dimensional. Maps A, B [last axis of A] → A's shape."""
    a, b = invocation.required(0), invocation.required(1)
    x = a.astype(np.float64) + b
    return ((x * normal_share(x)).astype(a.dtype),)


def bias_split_gelu(invocation: Invocation) -> Outputs:
    """Maps X [N, S, D], bias [D] → [N, S, D / 2]: after the bias in two halves of the last axis; left · Gelu(right)."""
    x = invocation.required(0)
    left, right = np.split(x.astype(np.float64) + invocation.required(1), 2, axis=-1)
    return ((left * right * normal_share(right)).astype(x.dtype),)


def fast_gelu(invocation: Invocation) -> Outputs:
    """Evaluates FastGelu: y = 0.5·x·(1 + tanh(0.797885·x + 0.035677·x³)) of x + bias: √(2/π) and 0.044715·√(2/π).

    Maps X, bias [last axis of X] or None → X's shape.
    """
    given, bias = invocation.required(0), invocation.input(1)
    x = given.astype(np.float64) + (0.0 if bias is None else bias)
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return ((0.5 * x * (1.0 + np.tanh(inner))).astype(given.dtype),)


def quick_gelu(invocation: Invocation) -> Outputs:
    """Evaluates QuickGelu: y = x · sigmoid(alpha · x). Maps X → its shape; alpha is 1.702 unless given."""
    x, alpha = invocation.required(0), invocation.attribute("alpha")
    return ((x * logistic(x * (1.702 if alpha is None else alpha))).astype(x.dtype),)


def scaled_silu(invocation: Invocation) -> Outputs:
    """Maps X, scale or None → X's shape: z · sigmoid(z) of z = scale · x, the scale that is given or else alpha."""
    x, scale = invocation.required(0), invocation.input(1)
    z = x.astype(np.float64) * (float(invocation.attributes.get("alpha", 1.0)) if scale is None else scale.reshape(()))
    return ((z * logistic(z)).astype(x.dtype),)


def bias_add(invocation: Invocation) -> Outputs:
    """Maps X [N, S, C], bias [C], skip [N, S, C] → X's shape: "add input with bias, then add residual inputs"."""
    return (invocation.required(0) + invocation.required(1) + invocation.required(2),)


def bias_softmax(invocation: Invocation) -> Outputs:
    """Evaluates BiasSoftmax: softmax(X + bias), which broadcasts, over all axes from `axis` on, 1 unless given."""
    x = invocation.required(0)
    first = int(invocation.attributes.get("axis", 1)) % x.ndim
    total = x.astype(np.float64) + invocation.required(1)
    return (softmax(total, tuple(range(first, x.ndim))).astype(x.dtype),)


def gated_add(invocation: Invocation) -> Outputs:
    """Maps X and Y […, C], gate […, 1] → X's shape: output = X + Y · gate, the gate broadcast over the last axis."""
    x, y, gate = (invocation.required(position) for position in range(3))
    return (x + y * gate,)


OPERATORS: Mapping[str, Evaluate] = {
    "Gelu": gelu,
    "BiasGelu": bias_gelu,
    "BiasSplitGelu": bias_split_gelu,
    "FastGelu": fast_gelu,
    "QuickGelu": quick_gelu,
    "ScaledSiLU": scaled_silu,
    "BiasAdd": bias_add,
    "BiasSoftmax": bias_softmax,
    "GatedAdd": gated_add,
}
