"""MaxPool: the largest element of each window. A maximum over a box is a maximum over each axis in turn.

Where the places are asked for, the taps are compared one by one. onnx.reference counts places within a picture
when strides and dilations are 1 and within the whole input otherwise; the specification knows only the latter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.window_axes import WindowAxis, window_axes

OPERATOR = "MaxPool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, spatial…], and if asked for the places of those elements in X, int64.

    Padding never wins, and a NaN only where its window holds nothing else. The first of equals is taken. X may hold
    eight-bit codes.
    """
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    codes = x.dtype in (np.int8, np.uint8)
    if axes is None or not (invocation.is_real or codes):
        return None
    y = x.astype(np.float32) if codes else x  # which can say that there is nothing yet; onnx.reference cannot
    if invocation.output_count > 1:
        largest, places = _with_places(y, axes, column_major=bool(invocation.attribute("storage_order")))
        return largest.astype(x.dtype), places
    for position, axis in enumerate(axes, start=2):
        y = _along(y, position, axis)
    return (y.astype(x.dtype),)


def _along(x: Array, position: int, axis: WindowAxis) -> Array:
    shape = list(x.shape)
    shape[position] = axis.output
    y = np.full(shape, np.nan, x.dtype)
    before = (slice(None),) * position
    for tap in range(axis.kernel):
        written, read = axis.reads(tap)
        target = y[(*before, written)]
        np.fmax(target, x[(*before, read)], out=target)
    return y


def _with_places(x: Array, axes: Sequence[WindowAxis], *, column_major: bool) -> Outputs:
    spatial = x.shape[2:]
    numbers = np.arange(math.prod(spatial)).reshape(spatial, order="F" if column_major else "C")
    channels = np.arange(x.shape[0] * x.shape[1]).reshape((*x.shape[:2], *(1,) * len(spatial))) * numbers.size
    shape = (*x.shape[:2], *(axis.output for axis in axes))
    lead = (slice(None), slice(None))
    largest = np.full(shape, np.nan, x.dtype)
    places = np.full(shape, -1, np.int64)
    for taps in itertools.product(*(range(axis.kernel) for axis in axes)):
        slices = [axis.reads(tap) for axis, tap in zip(axes, taps, strict=True)]
        written = tuple(each for each, _ in slices)
        read = tuple(each for _, each in slices)
        value, current, place = x[(*lead, *read)], largest[(*lead, *written)], places[(*lead, *written)]
        better = (value > current) | (np.isnan(current) & ~np.isnan(value)) | (place < 0)
        current[...] = np.where(better, value, current)
        place[...] = np.where(better, channels + numbers[read], place)
    return largest, places
