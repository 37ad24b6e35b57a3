"""Scores that are sums of products of features."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float, numbers


def linear(node: Writer, targets: int) -> str:
    """X [N, features] · coefficientsᵀ + intercepts, [N, targets]."""
    coefficients = numbers(node, "coefficients").reshape(targets, -1)
    intercepts = numbers(node, "intercepts")
    addend = intercepts if intercepts.size else np.zeros(targets, dtype=np.float32)
    weights, bias = node.constant(coefficients, label="coefficients"), node.constant(addend, label="intercepts")
    return node.add("Gemm", as_float(node), weights, bias, label="scores", transB=1)
