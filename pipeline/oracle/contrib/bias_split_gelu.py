"""BiasSplitGelu: after the bias in two halves of the last axis; left · Gelu(right)."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import normal_share
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "BiasSplitGelu"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, S, D], bias [D] → [N, S, D / 2]."""
    x = invocation.required(0)
    left, right = np.split(x.astype(np.float64) + invocation.required(1), 2, axis=-1)
    return ((left * right * normal_share(right)).astype(x.dtype),)
