"""LpPool: (Σ |x|^p)^(1/p) over each window; padding, and what hangs over it, adds nothing."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.window_axes import window_axes
from texelscope.pipeline.oracle.arithmetic.window_sums import window_sums

OPERATOR = "LpPool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, spatial…]; `p` is 2 unless given."""
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    if axes is None or not invocation.is_real:
        return None
    p = invocation.attribute("p") or 2
    sums = window_sums(np.abs(x) ** p, axes)
    return (sums ** x.dtype.type(1 / p),)
