"""BlockFold: y[g,b] = the largest, the smallest or the product of the b-th block of `block` elements of each group.

The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group may be shorter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "BlockFold"

FOLDS: Mapping[str, np.ufunc] = {"max": np.maximum, "min": np.minimum, "mul": np.multiply}


def evaluate(invocation: Invocation) -> Outputs:
    """X → [groups · blocks] in the shape `shape`."""
    x = invocation.required(0)
    return (in_blocks(x, invocation.attributes).reshape(invocation.attribute("shape")).astype(x.dtype),)


def in_blocks(x: Array, attributes: Mapping[str, Any]) -> Array:
    """The folds [groups, blocks] of x, seen and parted as the attributes say."""
    groups = in_groups(x, attributes)
    starts = np.arange(0, groups.shape[1], int(attributes["block"]))
    return np.asarray(FOLDS[str(attributes["fold"])].reduceat(groups, starts, axis=1))


def in_groups(x: Array, attributes: Mapping[str, Any]) -> Array:
    """x as [groups, elements]."""
    view, axes = tuple(attributes["view"]), tuple(attributes["axes"])
    kept = [axis for axis in range(len(view)) if axis not in axes]
    size = int(np.prod([view[axis] for axis in axes]))
    return x.reshape(view).transpose(*kept, *axes).reshape(-1, size)
