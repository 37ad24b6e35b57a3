"""BlockArg: y[g,b] = the k in the b-th block of group g with the largest sign · x[g,k], the first or the last such.

The first NaN wins. The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group may
be shorter. With C [groups, n], one block is the whole group and k one of the group's n candidates.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.own.block_fold import in_groups

OPERATOR = "BlockArg"


def evaluate(invocation: Invocation) -> Outputs:
    """X, and C [groups, n] → int64 [groups · blocks] in the shape `shape`."""
    x = in_groups(invocation.required(0), invocation.attributes) * invocation.attribute("sign")
    last, shape, candidates = (*(invocation.attribute(name) for name in ("last", "shape")), invocation.input(1))
    if candidates is not None:
        places = candidates.astype(np.int64).reshape(len(x), -1)
        best = _best(np.take_along_axis(x, places, axis=1), last=bool(last))
        return (np.take_along_axis(places, best[:, None], axis=1).reshape(shape),)
    block = int(invocation.attribute("block"))
    starts = range(0, x.shape[1], block)
    found = [start + _best(x[:, start : start + block], last=bool(last)) for start in starts]
    return (np.stack(found, axis=1).reshape(shape).astype(np.int64),)


def _best(x: Array, *, last: bool) -> Array:
    """Along the second axis; numpy's argmax takes the first of equal ones, and NaN for the largest."""
    first = np.asarray(np.argmax(x, axis=1))
    if not last:
        return first
    from_the_end = x.shape[1] - 1 - np.argmax(x[:, ::-1], axis=1)
    return np.where(np.isnan(x).any(axis=1), first, from_the_end)
