"""FastGelu: y = 0.5·x·(1 + tanh(0.797885·x + 0.035677·x³)) of x + bias: √(2/π) and 0.044715·√(2/π)."""

from __future__ import annotations

import math

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "FastGelu"


def evaluate(invocation: Invocation) -> Outputs:
    """X, bias [last axis of X] or None → X's shape."""
    given, bias = invocation.required(0), invocation.input(1)
    x = given.astype(np.float64) + (0.0 if bias is None else bias)
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return ((0.5 * x * (1.0 + np.tanh(inner))).astype(given.dtype),)
