"""Unique of com.microsoft: the distinct elements in the order in which they come."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Unique"


def evaluate(invocation: Invocation) -> Outputs:
    """X [k] → distinct elements, for each of X which of them it is, and how often each comes."""
    x = invocation.required(0)
    _, first, places, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    rank = np.argsort(order)
    return (x[first[order]], rank[places.reshape(-1)].astype(np.int64), counts[order].astype(np.int64))
