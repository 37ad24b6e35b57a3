"""SoftmaxShare: y = exp(x − m) / s or, in logarithms, x − m − ln s; m and s by group, in shapes that broadcast."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "SoftmaxShare"


def evaluate(invocation: Invocation) -> Outputs:
    """X, M and S with the normalised axes of size 1 → X's shape."""
    x, largest, total = (invocation.required(i).astype(np.float64) for i in range(3))
    y = x - largest - np.log(total) if invocation.attribute("logarithm") else np.exp(x - largest) / total
    return (y.astype(invocation.required(0).dtype),)
