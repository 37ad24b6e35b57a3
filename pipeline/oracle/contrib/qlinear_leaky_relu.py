"""QLinearLeakyRelu: f(x) = quantize(alpha · dequantize(x)) below 0, quantize(dequantize(x)) from 0 on."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearLeakyRelu"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale, zero point, scale and zero point of Y → X's shape; alpha is 0.01 unless given."""
    alpha = invocation.attribute("alpha")
    x = real(invocation, 0, 1, 2)
    y = np.where(x >= 0.0, x, x * (0.01 if alpha is None else alpha))
    return (quantised(invocation, y, 3, 4, invocation.required(0)),)
