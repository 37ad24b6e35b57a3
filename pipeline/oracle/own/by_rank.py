"""ByRank: y[j] = the x whose rank along the axis is j, or its place on the axis if `indices`."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "ByRank"


def evaluate(invocation: Invocation) -> Outputs:
    """X, and ranks of its shape → as many elements of the axis as the first `kept` ranks."""
    x, rank, axis = invocation.required(0), invocation.required(1), invocation.attribute("axis")
    first = np.argsort(rank, axis=axis, kind="stable").take(np.arange(invocation.attribute("kept")), axis=axis)
    return (first.astype(np.int64) if invocation.attribute("indices") else np.take_along_axis(x, first, axis=axis),)
