"""Conv: Y[n, o] = B[o] + Σ_{i, taps} W[o, i, taps] · X[n, g·I + i, y·stride + taps·dilation - pad].

Windows are copied side by side (im2col) in blocks of rows, and each block is one matrix product. Blocks keep
the copy within the processor's cache, bound its memory and are shared out to threads. Depthwise kernels have
nothing to sum over channels: there each tap is one multiply-add of a shifted picture.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.window_axes import WindowAxis, padded, window_axes, window_view
from texelscope.pipeline.oracle.arithmetic.workers import BLOCK_BYTES, Workers

OPERATOR = "Conv"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…], W [O, C/group, kernel…], B [O] → [N, O, spatial…]."""
    if not invocation.is_real:
        return None
    x, w, bias = invocation.required(0), invocation.required(1), invocation.input(2)
    group = invocation.attribute("group") or 1
    axes = window_axes(x.shape[2:], w.shape[2:], invocation.attributes)
    if axes is None or x.ndim < 3 or x.shape[1] != w.shape[1] * group or w.shape[0] % group:
        return None
    depthwise = w.shape[1] == 1 and group > 1
    y = _depthwise(x, w, axes) if depthwise else _grouped(x, w, axes, invocation.workers)
    if bias is not None:
        y += bias.reshape(-1, *(1,) * len(axes))
    return (y,)


def _grouped(x: Array, w: Array, axes: Sequence[WindowAxis], workers: Workers) -> Array:
    images, channels = x.shape[:2]
    group = channels // w.shape[1]
    y = np.empty((images, len(w), *(axis.output for axis in axes)), np.result_type(x, w))
    weights = w.reshape(group, len(w) // group, -1)
    sums = y.reshape(images, group, len(w) // group, -1)
    source = padded(x, axes)
    plane = source.reshape(images, group, channels // group, -1) if _is_pointwise(axes) else None
    row = math.prod(axis.output for axis in axes[1:])

    def multiply(task: tuple[int, slice]) -> None:
        image, rows = task
        columns = slice(rows.start * row, rows.stop * row)
        windows = plane[image, ..., columns] if plane is not None else _windows(source[image], axes, rows, group)
        np.matmul(weights, windows, out=sums[image, ..., columns])

    row_bytes = weights[0, 0].size * group * row * source.itemsize
    blocks = workers.blocks(axes[0].output, row_bytes, BLOCK_BYTES)
    workers.each(multiply, [(image, rows) for image in range(images) for rows in blocks])
    return y


def _is_pointwise(axes: Sequence[WindowAxis]) -> bool:
    return all(axis.kernel == axis.stride == 1 and axis.output == axis.input for axis in axes)


def _windows(source: Array, axes: Sequence[WindowAxis], rows: slice, group: int) -> Array:
    """The windows of some rows of outputs, copied: padded source [C, spatial…] → [group, C/group·taps, outputs]."""
    first = dataclasses.replace(axes[0], output=rows.stop - rows.start)
    view = window_view(source[:, rows.start * first.stride :], (first, *axes[1:]))
    outputs = math.prod(view.shape[1 + len(axes) :])
    return view.reshape(group, view.size // (group * outputs), outputs)


def _depthwise(x: Array, w: Array, axes: Sequence[WindowAxis]) -> Array:
    images, channels = x.shape[:2]
    shape = [axis.output for axis in axes]
    y = np.zeros((images, channels, w.shape[0] // channels, *shape), np.result_type(x, w))
    kernels = w.reshape(channels, -1, *w.shape[2:])
    for tap in np.ndindex(*w.shape[2:]):
        written, read = zip(*(axis.reads(k) for axis, k in zip(axes, tap, strict=True)), strict=True)
        factor = kernels[(..., *tap)].reshape(channels, -1, *(1,) * len(axes))
        y[(..., *written)] += factor * x[(slice(None), slice(None), None, *read)]
    return y.reshape(images, -1, *shape)
