"""BiasSoftmax: softmax(scores + bias) over all axes from `axis` on, which is 1 unless given."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import softmax
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "BiasSoftmax"


def evaluate(invocation: Invocation) -> Outputs:
    """X and a bias that broadcasts → X's shape."""
    x = invocation.required(0)
    first = int(invocation.attributes.get("axis", 1)) % x.ndim
    total = x.astype(np.float64) + invocation.required(1)
    return (softmax(total, tuple(range(first, x.ndim))).astype(x.dtype),)
