"""FusedMatMul: alpha · A · B; transA swaps the last two axes, transBatchA moves the first one behind the batch."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "FusedMatMul"


def evaluate(invocation: Invocation) -> Outputs:
    """A and B → their product as numpy.matmul has it."""
    a, b = (_turned(invocation, position, letter) for position, letter in enumerate("AB"))
    alpha = float(invocation.attributes.get("alpha", 1.0))
    return ((alpha * (a.astype(np.float64) @ b)).astype(a.dtype),)


def _turned(invocation: Invocation, position: int, letter: str) -> Array:
    x = invocation.required(position)
    if invocation.attribute(f"transBatch{letter}") and x.ndim > 2:
        x = np.moveaxis(x, 0, -2)
    return np.swapaxes(x, -1, -2) if invocation.attribute(f"trans{letter}") and x.ndim > 1 else x
