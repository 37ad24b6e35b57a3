"""Trilu of com.microsoft: the upper (the default) or lower triangle of matrices, zeros elsewhere."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Trilu"


def evaluate(invocation: Invocation) -> Outputs:
    """X […, rows, columns], k or None → X's shape."""
    x, k = invocation.required(0), invocation.input(1)
    triangle = np.triu if invocation.attributes.get("upper", 1) else np.tril
    return (triangle(x, 0 if k is None else int(k.reshape(()))),)
