"""Unique: the distinct elements, or slices along an axis; unsorted, onnx.reference leaves the axis out."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "Unique"


def evaluate(invocation: Invocation) -> Outputs:
    """X → what is distinct, where each comes first, which one each element is, and how often each comes."""
    axis = invocation.attribute("axis")
    x = invocation.required(0)
    x = x.reshape(-1) if axis is None else x
    along = 0 if axis is None else int(axis)
    _, first, which, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=along)
    order = np.arange(len(first)) if invocation.attribute("sorted") else np.argsort(first)
    rank = np.argsort(order)
    found = (np.take(x, first[order], axis=along), first[order], rank[which.reshape(-1)], counts[order])
    return (found[0], *(each.astype(np.int64) for each in found[1:]))[: invocation.output_count]
