"""GlobalAveragePool: the mean of each channel, added up in float64: a picture has many elements for one rounding."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GlobalAveragePool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, 1…]."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    return (x.mean(axis=tuple(range(2, x.ndim)), keepdims=True, dtype=np.float64).astype(x.dtype),)
