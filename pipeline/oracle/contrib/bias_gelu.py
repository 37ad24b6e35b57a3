"""BiasGelu: Gelu of A + B, B one-dimensional."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import normal_share
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "BiasGelu"


def evaluate(invocation: Invocation) -> Outputs:
    """A, B [last axis of A] → A's shape."""
    a, b = invocation.required(0), invocation.required(1)
    x = a.astype(np.float64) + b
    return ((x * normal_share(x)).astype(a.dtype),)
