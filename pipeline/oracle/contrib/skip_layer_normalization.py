"""SkipLayerNormalization: layer normalisation along the last axis of input + skip + bias."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_layer

OPERATOR = "SkipLayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """Input, skip, gamma, beta or None, bias or None → output, mean, inverse deviation, sum."""
    x, bias = invocation.required(0), invocation.input(4)
    total = x.astype(np.float64) + invocation.required(1) + (0.0 if bias is None else bias)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    found = by_layer(total, invocation.required(2), invocation.input(3), axis=-1, epsilon=epsilon)
    return (found[0].astype(x.dtype), found[1].astype(np.float32), found[2].astype(np.float32), total.astype(x.dtype))
