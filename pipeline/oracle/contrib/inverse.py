"""Inverse: the matrices that make the unit matrix of each matrix in the last two axes."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Inverse"


def evaluate(invocation: Invocation) -> Outputs:
    """X […, n, n] → its shape; numpy refuses a matrix that has none."""
    x = invocation.required(0)
    return (np.linalg.inv(x.astype(np.float64)).astype(x.dtype),)
