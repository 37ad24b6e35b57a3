"""Evaluates convolutions and their adjoints in blocks, which threads share out among them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.arithmetic.window_axes import WindowAxis, padded, window_axes, window_view
from texelscope.pipeline.arithmetic.workers import BLOCK_BYTES, Workers


def conv(invocation: Invocation) -> Outputs | None:
    """Evaluates Conv: Y[n, o] = B[o] + Σ_{i, taps} W[o, i, taps] · X[n, g·I + i, y·stride + taps·dilation - pad].

    Windows are copied side by side (im2col) in blocks of rows, and each block is one matrix product. Blocks keep the
    copy within the processor's cache, bound its memory and are shared out to threads. Depthwise kernels have nothing to
    sum over channels: there each tap is one multiply-add of a shifted picture. Maps X [N, C, spatial…], W [O, C/group,
    kernel…], B [O] → [N, O, spatial…].
    """
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


def conv_transpose(invocation: Invocation) -> Outputs | None:
    """Evaluates ConvTranspose: the adjoint of Conv; every input element adds W times itself to the outputs it reaches.

    One matrix product gives what each input position adds at each tap; the taps are then added in place, one strided
    slice each. Threads take output channels, which do not meet; rows of the input go in blocks, to bound the memory of
    the product. Maps X [N, C, spatial…], W [C, O/group, kernel…], B [O] → [N, O, spatial…].
    """
    if not invocation.is_real:
        return None
    x, w, bias = invocation.required(0), invocation.required(1), invocation.input(2)
    group = invocation.attribute("group") or 1
    axes = _output_axes(x.shape[2:], w.shape[2:], invocation)
    if axes is None or x.ndim < 3 or x.shape[1] != w.shape[0] or x.shape[1] % group:
        return None
    y = np.zeros((len(x), w.shape[1] * group, *(axis.input for axis in axes)), np.result_type(x, w))
    sources = x.reshape(len(x), group, -1, *x.shape[2:])
    weights = w.reshape(group, -1, *w.shape[1:])
    targets = y.reshape(len(x), group, *w.shape[1:2], *y.shape[2:])

    def add(task: tuple[int, int, slice]) -> None:
        image, g, outputs = task
        _add(weights[g, :, outputs], sources[image, g], axes, targets[image, g, outputs])

    bytes_each = w[0, 0].size * x[0, 0].size * x.itemsize
    blocks = invocation.workers.blocks(w.shape[1], bytes_each, max(BLOCK_BYTES, bytes_each * w.shape[1]))
    invocation.workers.each(add, [(i, g, outputs) for i in range(len(x)) for g in range(group) for outputs in blocks])
    if bias is not None:
        y += bias.reshape(-1, *(1,) * len(axes))
    return (y,)


def _output_axes(
    spatial: Sequence[int], kernel: Sequence[int], invocation: Invocation
) -> tuple[WindowAxis, ...] | None:
    """The windows of the convolution that this one is the adjoint of: its input is our output.

    Sizes and padding follow the ONNX specification of ConvTranspose: `output_shape` fixes the padding,
    `auto_pad` SAME makes the output stride times as large as the input.
    """
    rank = len(spatial)
    strides = invocation.attribute("strides") or [1] * rank
    dilations = invocation.attribute("dilations") or [1] * rank
    extra = invocation.attribute("output_padding") or [0] * rank
    pads = invocation.attribute("pads") or [0] * (2 * rank)
    shape = invocation.attribute("output_shape")
    auto_pad = invocation.attribute("auto_pad") or "NOTSET"
    if not len(kernel) == len(strides) == len(dilations) == len(extra) == rank or len(pads) != 2 * rank:
        return None
    axes = []
    for i, count in enumerate(spatial):
        full = strides[i] * (count - 1) + extra[i] + (kernel[i] - 1) * dilations[i] + 1
        begin, end = pads[i], pads[rank + i]
        if shape or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            size = shape[i - rank] if shape else count * strides[i]
            total = max(0, full - size)
            begin = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
        else:
            size = full - begin - end if auto_pad == "NOTSET" else full
            begin = begin if auto_pad == "NOTSET" else 0
        axes.append(WindowAxis(size, count, kernel[i], strides[i], dilations[i], begin))
    return tuple(axes) if all(axis.input > 0 and axis.begin >= 0 for axis in axes) else None


def _add(weights: Array, source: Array, axes: Sequence[WindowAxis], target: Array) -> None:
    """Adds to target [O, out…] what source [C, in…] contributes through weights [C, O, kernel…]."""
    kernel = weights.shape[2:]
    row = math.prod(axis.output for axis in axes[1:])
    products = weights.reshape(len(weights), -1).T
    block = max(1, BLOCK_BYTES // max(1, len(products) * row * source.itemsize))
    for first in range(0, axes[0].output, block):
        last = min(first + block, axes[0].output)
        added = products @ source[:, first:last].reshape(len(source), -1)
        added = added.reshape(len(target), *kernel, last - first, *source.shape[2:])
        for tap in np.ndindex(*kernel):
            reads = [axes[0].reads(tap[0], first, last)]
            reads += [axis.reads(k) for axis, k in zip(axes[1:], tap[1:], strict=True)]
            near, far = zip(*reads, strict=True)
            rows = slice(near[0].start - first, near[0].stop - first) if near[0].stop else near[0]
            target[(slice(None), *far)] += added[(slice(None), *tap, rows, *near[1:])]


OPERATORS: Mapping[str, Evaluate] = {
    "Conv": conv,
    "ConvTranspose": conv_transpose,
}
