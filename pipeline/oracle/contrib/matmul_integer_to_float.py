"""MatMulIntegerToFloat: (A − a_zero)·(B − b_zero) · a_scale · b_scale + bias."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import offset
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "MatMulIntegerToFloat"


def evaluate(invocation: Invocation) -> Outputs:
    """A, B, a_scale, b_scale, a_zero, b_zero, bias; those of B are one for all or one a column."""
    product = offset(invocation, 0, 4) @ offset(invocation, 1, 5)
    y = product * invocation.required(2).astype(np.float64) * invocation.required(3)
    bias = invocation.input(6)
    return ((y if bias is None else y + bias).astype(invocation.required(3).dtype),)
