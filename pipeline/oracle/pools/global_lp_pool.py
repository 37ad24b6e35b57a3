"""GlobalLpPool: (Σ |x|^p)^(1/p) over the whole picture, which onnx.reference lacks."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "GlobalLpPool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, 1…]; `p` is 2 unless given."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    p = invocation.attribute("p") or 2
    sums = np.sum(np.abs(x) ** p, axis=tuple(range(2, x.ndim)), keepdims=True, dtype=np.float64)
    return ((sums ** (1 / p)).astype(x.dtype),)
