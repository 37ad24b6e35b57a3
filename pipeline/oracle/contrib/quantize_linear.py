"""QuantizeLinear of com.microsoft: y = saturate(x / y_scale + y_zero_point), rounded to nearest, ties to even."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import along
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QuantizeLinear"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale and zero point, one for all or one for each place of `axis` → X's shape."""
    x, scale, zero = invocation.required(0), invocation.required(1), invocation.input(2)
    zeros = np.zeros(scale.shape, dtype=np.uint8) if zero is None else zero
    limits = np.iinfo(zeros.dtype)
    steps = np.rint(x / along(invocation, scale, x.ndim)) + along(invocation, zeros, x.ndim)
    return (np.clip(steps, limits.min, limits.max).astype(zeros.dtype),)
