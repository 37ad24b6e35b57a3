"""Sums over sliding windows, one axis after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array
from texelscope.pipeline.oracle.arithmetic.window_axes import WindowAxis

# Windows of more taps are put together from windows of half as many.
_MOST_TAPS = 32


def window_sums(x: Array, axes: Sequence[WindowAxis]) -> Array:
    """The sum of `x` over every window of its last axes; padding adds nothing. A new array of x's dtype."""
    for position, axis in enumerate(axes, start=x.ndim - len(axes)):
        if axis.kernel > _MOST_TAPS:
            x = _by_halves(x, position, axis)
            continue
        shape = list(x.shape)
        shape[position] = axis.output
        sums = np.zeros(shape, x.dtype)
        before = (slice(None),) * position
        for tap in range(axis.kernel):
            written, read = axis.reads(tap)
            sums[(*before, written)] += x[(*before, read)]
        x = sums
    return x


def _by_halves(x: Array, position: int, axis: WindowAxis) -> Array:
    """Sums along one axis of windows of 1, 2, 4, … taps, of which those that make up the kernel are added."""
    before = (slice(None),) * position
    shape = list(x.shape)
    shape[position] = max(axis.reach, axis.begin + axis.input)
    some = np.zeros(shape, x.dtype)
    some[(*before, slice(axis.begin, axis.begin + axis.input))] = x
    starts = (axis.output - 1) * axis.stride + 1
    shape[position] = axis.output
    sums, done, taps = np.zeros(shape, x.dtype), 0, 1
    while True:
        if axis.kernel & taps:
            first = done * axis.dilation
            sums += some[(*before, slice(first, first + starts, axis.stride))]
            done += taps
        if done == axis.kernel:
            return sums
        apart = taps * axis.dilation
        some = some[(*before, slice(0, -apart))] + some[(*before, slice(apart, None))]
        taps *= 2
