"""Softmax: exp(x - max x) / Σ exp(x - max x)."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.normalised_axis import one_axis

OPERATOR = "Softmax"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → the same shape; along one axis, or along the flattened last ones below opset 13."""
    x, axis = one_axis(invocation)
    if not invocation.is_real or not x.size:
        return None
    y = np.exp(x - x.max(axis=axis, keepdims=True))
    y /= y.sum(axis=axis, keepdims=True)
    return (y.reshape(invocation.required(0).shape),)
