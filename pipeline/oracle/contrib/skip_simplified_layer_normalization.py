"""SkipSimplifiedLayerNormalization: input + skip + bias by the root of its mean square along the last axis."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.layer_statistics import by_root

OPERATOR = "SkipSimplifiedLayerNormalization"


def evaluate(invocation: Invocation) -> Outputs:
    """Input, skip, gamma, bias or None → output, mean (which is not taken), inverse root, sum."""
    x, bias = invocation.required(0), invocation.input(3)
    total = x.astype(np.float64) + invocation.required(1) + (0.0 if bias is None else bias)
    epsilon = float(invocation.attributes.get("epsilon", 1e-12))
    y, inverse = by_root(total, invocation.required(2), axis=-1, epsilon=epsilon)
    return (y.astype(x.dtype), np.zeros_like(inverse, np.float32), inverse.astype(np.float32), total.astype(x.dtype))
