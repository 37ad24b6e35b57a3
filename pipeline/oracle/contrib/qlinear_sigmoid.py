"""QLinearSigmoid: f(x) = quantize(Sigmoid(dequantize(x)))."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.curves import logistic
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearSigmoid"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale, zero point, scale and zero point of Y → X's shape."""
    return (quantised(invocation, logistic(real(invocation, 0, 1, 2)), 3, 4, invocation.required(0)),)
