"""Det in double precision: what numpy's decomposition rounds in float32 has no simple bound."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Det"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [..., n, n] → [...]."""
    if not invocation.is_real:
        return None
    x = invocation.required(0)
    return (np.asarray(np.linalg.det(x.astype(np.float64))).astype(x.dtype),)
