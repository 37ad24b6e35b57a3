"""QLinearReduceMean: Dequantize(Input) -> ReduceMean on fp32 data -> Quantize(output)."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearReduceMean"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale, zero point, scale and zero point of Y → X's shape with `axes` gone or of size 1."""
    axes, keepdims = tuple(invocation.attribute("axes")), bool(invocation.attributes.get("keepdims", 1))
    mean = real(invocation, 0, 1, 2).mean(axis=axes, keepdims=keepdims)
    return (quantised(invocation, mean, 3, 4, invocation.required(0)),)
