"""BlockSum: y[g,b] = scale · Σ f(x − m[g]) over the b-th block of `block` elements of each group.

f is named by `term`. The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group may
be shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "BlockSum"

TERMS: Mapping[str, Callable[[Array], Array]] = {
    "value": lambda distance: distance,
    "absolute": np.abs,
    "square": np.square,
    "exponential": np.exp,
}


def evaluate(invocation: Invocation) -> Outputs:
    """X, and M [groups] in any shape → [groups · blocks] in the shape `shape`."""
    x, mean = invocation.required(0), invocation.input(1)
    view, axes, block = (invocation.attribute(name) for name in ("view", "axes", "block"))
    kept = [axis for axis in range(len(view)) if axis not in axes]
    size = int(np.prod([view[axis] for axis in axes]))
    groups = x.reshape(view).transpose(*kept, *axes).reshape(-1, size).astype(np.float64)
    if mean is not None:
        groups = groups - mean.reshape(-1, 1)
    terms = np.pad(TERMS[invocation.attribute("term")](groups), ((0, 0), (0, -size % block)))
    sums = terms.reshape(len(groups), -1, block).sum(axis=-1) * invocation.attribute("scale")
    return (sums.reshape(invocation.attribute("shape")).astype(x.dtype),)
