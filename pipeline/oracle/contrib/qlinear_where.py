"""QLinearWhere: X where the condition holds, Y where it does not, in the scale of Z."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearWhere"


def evaluate(invocation: Invocation) -> Outputs:
    """Condition, X, scale, zero point, Y, scale, zero point, scale and zero point of Z; they broadcast."""
    chosen = np.where(invocation.required(0), real(invocation, 1, 2, 3), real(invocation, 4, 5, 6))
    return (quantised(invocation, chosen, 7, 8, invocation.required(1)),)
