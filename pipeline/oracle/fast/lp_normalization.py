"""LpNormalization: X / (Σ|X|^p)^(1/p) along an axis; for p of 1 onnx.reference leaves the signs in the sum."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "LpNormalization"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X → the same shape; zeros where the norm is 0."""
    x, p = invocation.required(0), int(invocation.attribute("p"))
    if p not in (1, 2):
        return None
    norm = np.linalg.norm(x.astype(np.float64), ord=p, axis=invocation.attribute("axis"), keepdims=True)
    return ((x / np.where(norm == 0.0, 1.0, norm)).astype(x.dtype),)
