"""SkipGroupNorm: s = x + skip + bias, then GroupNorm of s; s itself is the second output."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.contrib.group_norm import by_group

OPERATOR = "SkipGroupNorm"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, H, W, C], gamma, beta, skip of X's shape, [N, 1, 1, C] or [N, C], bias [C] or None → Y, S."""
    x, skip, bias = invocation.required(0), invocation.required(3), invocation.input(4)
    total = x.astype(np.float64) + (skip[:, None, None] if skip.ndim == 2 else skip) + (0.0 if bias is None else bias)
    return (by_group(invocation, total).astype(x.dtype), total.astype(x.dtype))
