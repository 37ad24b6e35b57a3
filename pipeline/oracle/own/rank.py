"""Rank: y = how many elements of its axis beat each element by `sign` · x; of equal ones the first beats the others."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Rank"


def evaluate(invocation: Invocation) -> Outputs:
    """X → int64 of its shape."""
    x, axis = invocation.required(0) * invocation.attribute("sign"), invocation.attribute("axis")
    order = np.argsort(-x, axis=axis, kind="stable")
    rank = np.empty(x.shape, dtype=np.int64)
    places = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
    np.put_along_axis(rank, order, np.broadcast_to(places, x.shape), axis=axis)
    return (rank,)
