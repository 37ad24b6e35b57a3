"""Evaluates a sort in two steps: the rank of each element, then the elements by rank."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs


def rank(invocation: Invocation) -> Outputs:
    """Evaluates Rank: y = how many elements of its axis beat each element by `sign` · x; of equals the first wins.

    Maps X → int64 of its shape.
    """
    x, axis = invocation.required(0) * invocation.attribute("sign"), invocation.attribute("axis")
    order = np.argsort(-x, axis=axis, kind="stable")
    rank = np.empty(x.shape, dtype=np.int64)
    places = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
    np.put_along_axis(rank, order, np.broadcast_to(places, x.shape), axis=axis)
    return (rank,)


def by_rank(invocation: Invocation) -> Outputs:
    """Evaluates ByRank: y[j] = the x whose rank along the axis is j, or its place on the axis if `indices`.

    Maps X, and ranks of its shape → as many elements of the axis as the first `kept` ranks.
    """
    x, rank, axis = invocation.required(0), invocation.required(1), invocation.attribute("axis")
    first = np.argsort(rank, axis=axis, kind="stable").take(np.arange(invocation.attribute("kept")), axis=axis)
    return (first.astype(np.int64) if invocation.attribute("indices") else np.take_along_axis(x, first, axis=axis),)


OPERATORS: Mapping[str, Evaluate] = {
    "Rank": rank,
    "ByRank": by_rank,
}
