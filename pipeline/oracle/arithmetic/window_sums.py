"""Sums over sliding windows, one axis after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.oracle.arithmetic.invocation import Array
from pipeline.oracle.arithmetic.window_axes import WindowAxis


def window_sums(x: Array, axes: Sequence[WindowAxis]) -> Array:
    """The sum of `x` over every window of its last axes; padding adds nothing. A new array of x's dtype."""
    for position, axis in enumerate(axes, start=x.ndim - len(axes)):
        shape = list(x.shape)
        shape[position] = axis.output
        sums = np.zeros(shape, x.dtype)
        before = (slice(None),) * position
        for tap in range(axis.kernel):
            written, read = axis.reads(tap)
            sums[(*before, written)] += x[(*before, read)]
        x = sums
    return x
