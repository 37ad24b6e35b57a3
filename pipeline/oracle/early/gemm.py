"""Gemm before opset 6, whose third matrix is not spread out unless told to; onnx.reference begins with 6."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Gemm"


def evaluate(invocation: Invocation) -> Outputs | None:
    """A, B, C → alpha · A · B + beta · C, either factor transposed if told to."""
    if invocation.opset >= 7:
        return None
    a, b, c = (invocation.required(i) for i in range(3))
    left = a.T if invocation.attribute("transA") else a
    right = b.T if invocation.attribute("transB") else b
    alpha, beta = (a.dtype.type(invocation.attribute(name)) for name in ("alpha", "beta"))
    return (alpha * (left @ right) + beta * c,)
