"""QLinearAdd: C = (A_scale·(A − A_zero) + B_scale·(B − B_zero)) / C_scale + C_zero."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearAdd"


def evaluate(invocation: Invocation) -> Outputs:
    """A, scale, zero point, B, scale, zero point, scale and zero point of C; they broadcast."""
    total = real(invocation, 0, 1, 2) + real(invocation, 3, 4, 5)
    return (quantised(invocation, total, 6, 7, invocation.required(0)),)
