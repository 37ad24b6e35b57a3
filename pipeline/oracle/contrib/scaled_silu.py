"""ScaledSiLU: z · sigmoid(z) of z = scale · x, the scale that is given or else alpha."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import logistic
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "ScaledSiLU"


def evaluate(invocation: Invocation) -> Outputs:
    """X, scale or None → X's shape."""
    x, scale = invocation.required(0), invocation.input(1)
    z = x.astype(np.float64) * (float(invocation.attributes.get("alpha", 1.0)) if scale is None else scale.reshape(()))
    return ((z * logistic(z)).astype(x.dtype),)
