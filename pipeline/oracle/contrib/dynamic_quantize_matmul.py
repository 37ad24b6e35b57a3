"""DynamicQuantizeMatMul: A in eight bits by its own range, as DynamicQuantizeLinear has it, times a quantised B."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import offset
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "DynamicQuantizeMatMul"


def evaluate(invocation: Invocation) -> Outputs:
    """A, B, b_scale, b_zero, bias; those of B are one for all or one a column."""
    a, bias = invocation.required(0), invocation.input(4)
    low, high = min(a.min(), a.dtype.type(0)), max(a.max(), a.dtype.type(0))
    scale = (high - low) / a.dtype.type(255)
    scale = scale if scale else a.dtype.type(1)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    codes = np.clip(np.rint(a / scale) + zero, 0, 255)
    product = (codes - zero).astype(np.float64) @ offset(invocation, 1, 3)
    y = product * float(scale) * invocation.required(2)
    return ((y if bias is None else y + bias).astype(a.dtype),)
