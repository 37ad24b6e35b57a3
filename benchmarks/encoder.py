"""Builds a transformer's encoder (Vaswani et al. 2017, with GELU as in BERT), with random weights, as an ONNX model.

Its operators are those that exporters write: a normalisation is nine of them, and so are attention and GELU taken
apart. Its input is embedded already, because looking rows up is no work to compare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import onnx

from benchmarks.network_parts import NetworkParts

_EPSILON = 1e-5
_HIDDEN = 4


@dataclass(frozen=True)
class Sizes:
    """Holds the sizes of an encoder; `width` is a multiple of `heads`."""

    layers: int = 12
    width: int = 256
    heads: int = 4
    tokens: int = 128


def build(sizes: Sizes | None = None, *, seed: int = 0) -> onnx.ModelProto:
    """Builds an encoder from `tokens` to `features`, both float32 [1, tokens, width]."""
    sizes = sizes or Sizes()
    parts = NetworkParts(seed)
    tensor = "tokens"
    for layer in range(sizes.layers):
        name = f"layer{layer}"
        attended = _attend(parts, tensor, f"{name}.attention", sizes)
        tensor = _normalise(parts, parts.add("Add", [tensor, attended], f"{name}.sum0"), f"{name}.norm0", sizes.width)
        moved = _feed_forward(parts, tensor, f"{name}.hidden", sizes.width)
        end = "features" if layer == sizes.layers - 1 else f"{name}.norm1"
        tensor = _normalise(parts, parts.add("Add", [tensor, moved], f"{name}.sum1"), end, sizes.width)
    shape = [1, sizes.tokens, sizes.width]
    return parts.model("encoder", ("tokens", shape), ("features", shape))


def _linear(parts: NetworkParts, tensor: str, name: str, into: int, out: int) -> str:
    weight = parts.weight(f"{name}.weight", (into, out), (1 / into) ** 0.5)
    product = parts.add("MatMul", [tensor, weight], f"{name}.product")
    return parts.add("Add", [product, parts.weight(f"{name}.bias", (out,), 0.05)], name)


def _attend(parts: NetworkParts, given: str, name: str, sizes: Sizes) -> str:
    width, each = sizes.width, sizes.width // sizes.heads
    apart = parts.constant([1, sizes.tokens, sizes.heads, each])

    def headed(role: str, order: tuple[int, ...]) -> str:
        """Returns a projection of the input with a matrix for each head."""
        tensor = _linear(parts, given, f"{name}.{role}", width, width)
        tensor = parts.add("Reshape", [tensor, apart], f"{name}.{role}.apart")
        return parts.add("Transpose", [tensor], f"{name}.{role}.heads", perm=list(order))

    query, key, value = headed("query", (0, 2, 1, 3)), headed("key", (0, 2, 3, 1)), headed("value", (0, 2, 1, 3))
    scores = parts.add("MatMul", [query, key], f"{name}.scores")
    scores = parts.add("Div", [scores, parts.constant(math.sqrt(each))], f"{name}.scaled")
    weights = parts.add("Softmax", [scores], f"{name}.weights", axis=3)
    mixed = parts.add("MatMul", [weights, value], f"{name}.mixed")
    mixed = parts.add("Transpose", [mixed], f"{name}.mixed.tokens", perm=[0, 2, 1, 3])
    mixed = parts.add("Reshape", [mixed, parts.constant([1, sizes.tokens, width])], f"{name}.mixed.together")
    return _linear(parts, mixed, f"{name}.out", width, width)


def _feed_forward(parts: NetworkParts, given: str, name: str, width: int) -> str:
    tensor = _linear(parts, given, f"{name}.wide", width, width * _HIDDEN)
    error = parts.add("Div", [tensor, parts.constant(math.sqrt(2))], f"{name}.divided")
    error = parts.add("Add", [parts.add("Erf", [error], f"{name}.erf"), parts.constant(1.0)], f"{name}.raised")
    tensor = parts.add("Mul", [parts.add("Mul", [tensor, error], f"{name}.gated"), parts.constant(0.5)], f"{name}.gelu")
    return _linear(parts, tensor, f"{name}.narrow", width * _HIDDEN, width)


def _normalise(parts: NetworkParts, given: str, name: str, width: int) -> str:
    mean = parts.add("ReduceMean", [given], f"{name}.mean", axes=[-1], keepdims=1)
    apart = parts.add("Sub", [given, mean], f"{name}.apart")
    square = parts.add("Pow", [apart, parts.constant(2.0)], f"{name}.square")
    variance = parts.add("ReduceMean", [square], f"{name}.variance", axes=[-1], keepdims=1)
    variance = parts.add("Add", [variance, parts.constant(_EPSILON)], f"{name}.positive")
    unit = parts.add("Div", [apart, parts.add("Sqrt", [variance], f"{name}.deviation")], f"{name}.unit")
    scaled = parts.add("Mul", [unit, parts.weight(f"{name}.weight", (width,), 0.1, mean=1.0)], f"{name}.scaled")
    return parts.add("Add", [scaled, parts.weight(f"{name}.bias", (width,), 0.05)], name)
