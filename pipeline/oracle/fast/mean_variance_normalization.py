"""MeanVarianceNormalization: (X - mean) / (deviation + 1e-9) over some axes.

The definition's function has constants of float32, so that onnx.reference refuses float64, and takes the variance as a
difference of squares, which may come out negative.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "MeanVarianceNormalization"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → the same shape."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    axes = tuple(invocation.attribute("axes") or (0, 2, 3))
    centred = x - x.mean(axis=axes, keepdims=True, dtype=np.float64)
    deviation = np.sqrt(np.square(centred).mean(axis=axes, keepdims=True))
    return ((centred / (deviation + 1e-9)).astype(x.dtype),)
