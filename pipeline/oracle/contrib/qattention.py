"""QAttention: Attention whose input and weights are quantised; the bias is not."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import offset
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.contrib.attention import attend

OPERATOR = "QAttention"


def evaluate(invocation: Invocation) -> Outputs:
    """X, weights, bias, scale of X, scales of weights, mask, zero points of both, past → Y, present."""
    bias = invocation.required(2)
    product = offset(invocation, 0, 6) @ offset(invocation, 1, 7)
    projected = product * invocation.required(3).astype(np.float64) * invocation.required(4) + bias
    y, present = attend(invocation, projected, invocation.input(5), invocation.input(8), None)
    return (y.astype(bias.dtype), present.astype(bias.dtype))
