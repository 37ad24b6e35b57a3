"""Hardmax: one for the first largest element, zero for the others."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.normalised_axis import one_axis

OPERATOR = "Hardmax"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → the same shape; along one axis, or along the flattened last ones below opset 13."""
    x, axis = one_axis(invocation)
    if not x.size:
        return None
    y = np.zeros_like(x)
    np.put_along_axis(y, np.expand_dims(x.argmax(axis=axis), axis), 1, axis)
    return (y.reshape(invocation.required(0).shape),)
