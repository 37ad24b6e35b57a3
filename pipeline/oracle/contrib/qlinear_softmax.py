"""QLinearSoftmax: e^x over its sum along `axis` since opset 13, over all axes from `axis` on before."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.curves import softmax
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearSoftmax"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale, zero point, scale and zero point of Y → X's shape."""
    x, axis = real(invocation, 0, 1, 2), invocation.attribute("axis")
    first = (-1 if axis is None else int(axis)) % x.ndim
    axes = (first,) if invocation.attribute("opset") >= 13 else tuple(range(first, x.ndim))
    return (quantised(invocation, softmax(x, axes), 3, 4, invocation.required(0)),)
