"""QuickGelu: y = x · sigmoid(alpha · x)."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.curves import logistic
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QuickGelu"


def evaluate(invocation: Invocation) -> Outputs:
    """X → its shape; alpha is 1.702 unless given."""
    x, alpha = invocation.required(0), invocation.attribute("alpha")
    return ((x * logistic(x * (1.702 if alpha is None else alpha))).astype(x.dtype),)
