"""LayerNormalization before ONNX had it: the axes from one on by their mean and deviation."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_layer

OPERATOR = "LayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale, bias or None → X's shape, mean, inverse deviation."""
    x, said = invocation.required(0), invocation.attributes
    axis, epsilon = int(said.get("axis", -1)), float(said.get("epsilon", 1e-5))
    y, mean, inverse = by_layer(x, invocation.required(1), invocation.input(2), axis=axis, epsilon=epsilon)
    return (y.astype(x.dtype), mean.astype(np.float32), inverse.astype(np.float32))
