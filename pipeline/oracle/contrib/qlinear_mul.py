"""QLinearMul: C = ((A − A_zero)·(B − B_zero))·(A_scale·B_scale) / C_scale + C_zero."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearMul"


def evaluate(invocation: Invocation) -> Outputs:
    """A, scale, zero point, B, scale, zero point, scale and zero point of C; they broadcast."""
    product = real(invocation, 0, 1, 2) * real(invocation, 3, 4, 5)
    return (quantised(invocation, product, 6, 7, invocation.required(0)),)
