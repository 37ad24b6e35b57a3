"""Evaluates pools: the largest element, the mean or a norm of each window, channel, or region that an input lists.

X is [N, C, spatial…]; windows give [N, C, spatial…], channels [N, C, 1…].
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.arithmetic.window_axes import WindowAxis, window_axes

# Windows of more taps are composed of windows of half as many.
_MOST_TAPS = 32


def average_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates AveragePool: the sum of each window over the number of elements in it, with or without padding.

    Maps X [N, C, spatial…] → [N, C, spatial…]. Windows beyond the padded input (`ceil_mode`) do not count there;
    padding counts if `count_include_pad` is set.
    """
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    if axes is None or not invocation.is_real:
        return None
    with_padding = bool(invocation.attribute("count_include_pad"))
    counts = functools.reduce(np.multiply.outer, (axis.counts(with_padding=with_padding) for axis in axes))
    return (window_sums(x, axes) / counts.astype(x.dtype),)


def lp_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates LpPool: (Σ |x|^p)^(1/p) over each window, p 2 unless given; padding, and beyond it, adds nothing."""
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    if axes is None or not invocation.is_real:
        return None
    p = invocation.attribute("p") or 2
    sums = window_sums(np.abs(x) ** p, axes)
    return (sums ** x.dtype.type(1 / p),)


def window_sums(x: Array, axes: Sequence[WindowAxis]) -> Array:
    """Sums `x` over every window of its last axes; padding adds nothing. Returns a new array of x's dtype."""
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
    """Sums along one axis windows of 1, 2, 4, … taps, of which those that make up the kernel are added."""
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


def max_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates MaxPool: the largest element of each window. A maximum over a box is a maximum over each axis in turn.

    Where places are requested, the taps are compared one by one. onnx.reference counts places within a picture when
    strides and dilations are 1 and within the whole input otherwise; the specification has only the latter. Maps X [N,
    C, spatial…] → [N, C, spatial…], and if requested the places of those elements in X, int64. Padding never wins, and
    a NaN only where its window holds nothing else. The first of equals is taken. X may hold eight-bit codes.
    """
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    codes = x.dtype in (np.int8, np.uint8)
    if axes is None or not (invocation.is_real or codes):
        return None
    y = x.astype(np.float32) if codes else x  # floats have −∞ for an empty maximum; onnx.reference has none for codes
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


def global_average_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates GlobalAveragePool: the mean of each channel, summed in float64 as pictures have many elements."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    return (x.mean(axis=tuple(range(2, x.ndim)), keepdims=True, dtype=np.float64).astype(x.dtype),)


def global_lp_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates GlobalLpPool, which onnx.reference lacks: (Σ |x|^p)^(1/p) of each channel, p 2 unless given."""
    x = invocation.required(0)
    if not invocation.is_real:
        return None
    p = invocation.attribute("p") or 2
    sums = np.sum(np.abs(x) ** p, axis=tuple(range(2, x.ndim)), keepdims=True, dtype=np.float64)
    return ((sums ** (1 / p)).astype(x.dtype),)


def global_max_pool(invocation: Invocation) -> Outputs | None:
    """Evaluates GlobalMaxPool: the largest element of each channel.

    onnx.reference reduces the wrong axes unless there are exactly two spatial ones. Maps X [N, C, spatial…] → [N, C,
    1…].
    """
    x = invocation.required(0)
    return (x.max(axis=tuple(range(2, x.ndim)), keepdims=True),) if x.size else None


def max_roi_pool(invocation: Invocation) -> Outputs:
    """Evaluates MaxRoiPool: the largest element of each cell of a region, which onnx.reference lacks.

    Regions are rounded to whole elements (a half away from zero) and hold both of their ends; the cells of a region
    overlap where its size is no multiple of their number (Girshick, Fast R-CNN, 2015, and its implementation in Caffe).
    Maps X [N, C, H, W], regions [R, 5] (image, left, top, right, bottom) → [R, C, height, width].
    """
    x, regions = invocation.required(0), invocation.required(1)
    height, width = invocation.attribute("pooled_shape")
    scaled = regions[:, 1:] * regions.dtype.type(invocation.attribute("spatial_scale") or 1.0)
    corners = np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int64)
    y = np.zeros((len(regions), x.shape[1], height, width), x.dtype)
    for r, (left, top, right, bottom) in enumerate(corners):
        image = x[int(regions[r, 0])]
        rows = _cells(top, bottom, height, x.shape[2])
        columns = _cells(left, right, width, x.shape[3])
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                cell = image[:, row, column]
                y[r, :, i, j] = cell.max(axis=(1, 2)) if cell.size else 0
    return (y,)


def _cells(first: int, last: int, cells: int, size: int) -> list[slice]:
    count = max(last - first + 1, 1)
    starts = first + np.arange(cells) * count // cells
    ends = first + -(-(np.arange(cells) + 1) * count // cells)
    return [slice(*np.clip((start, end), 0, size)) for start, end in zip(starts, ends, strict=True)]


@dataclass(frozen=True)
class _Samples:
    """Lists along an axis the elements before and after each sample, the latter's share, and which samples count."""

    before: Array
    after: Array
    share: Array
    inside: Array
    per_cell: int


def roi_align(invocation: Invocation) -> Outputs | None:
    """Evaluates RoiAlign: the samples of one region gathered at once.

    Places are computed in float32 in the order of onnx.reference, which walks every sample in Python. Maps X [N, C, H,
    W], regions [R, 4], images [R] → [R, C, height, width].
    """
    x, regions, images = (invocation.required(i) for i in range(3))
    if x.dtype not in (np.float32, np.float64):
        return None
    height, width = invocation.attribute("output_height"), invocation.attribute("output_width")
    aligned = invocation.opset >= 16 and invocation.attribute("coordinate_transformation_mode") == "half_pixel"
    largest = invocation.attribute("mode") == "max"
    ratio = invocation.attribute("sampling_ratio") or 0
    y = np.zeros((len(regions), x.shape[1], height, width))
    for r, region in enumerate(regions):
        left, top, right, bottom = region * region.dtype.type(invocation.attribute("spatial_scale")) - (
            region.dtype.type(0.5 if aligned else 0.0)
        )
        rows = _samples(top, bottom, height, x.shape[2], ratio, aligned=aligned)
        columns = _samples(left, right, width, x.shape[3], ratio, aligned=aligned)
        y[r] = _region(x[images[r]], rows, columns, largest=largest)
    return (y.astype(x.dtype),)


def _samples(start: Array, end: Array, cells: int, size: int, ratio: int, *, aligned: bool) -> _Samples:
    length = end - start if aligned else max(end - start, start.dtype.type(1))
    cell = length / start.dtype.type(cells)
    per_cell = ratio if ratio > 0 else int(np.ceil(cell))
    number = np.arange(cells * max(per_cell, 0))
    which, sample = number // max(per_cell, 1), number % max(per_cell, 1)
    place = start + which.astype(start.dtype) * cell + (sample + 0.5).astype(start.dtype) * cell / max(per_cell, 1)
    inside = (place >= -1.0) & (place <= size)
    place = np.clip(place.astype(np.float64), 0.0, size - 1)
    before = np.minimum(place.astype(np.int64), size - 1)
    after = np.minimum(before + 1, size - 1)
    return _Samples(before, after, place - before, inside, per_cell)


def _region(x: Array, rows: _Samples, columns: _Samples, *, largest: bool) -> Array:
    """Returns one region of one image [C, H, W]."""
    inside = rows.inside[:, None] & columns.inside
    corners = []
    for row, row_weight in ((rows.before, 1 - rows.share), (rows.after, rows.share)):
        for column, column_weight in ((columns.before, 1 - columns.share), (columns.after, columns.share)):
            weight = row_weight[:, None] * column_weight
            corners.append(np.where(inside, x[:, row[:, None], column] * weight, 0.0))
    samples = np.max(corners, axis=0) if largest else np.sum(corners, axis=0)
    count = rows.per_cell * columns.per_cell
    if count <= 0:
        return np.zeros(())
    grid = samples.reshape(len(x), -1, rows.per_cell, samples.shape[2] // columns.per_cell, columns.per_cell)
    return np.asarray(grid.max(axis=(2, 4)) if largest else grid.mean(axis=(2, 4)))


OPERATORS: Mapping[str, Evaluate] = {
    "AveragePool": average_pool,
    "LpPool": lp_pool,
    "MaxPool": max_pool,
    "GlobalAveragePool": global_average_pool,
    "GlobalLpPool": global_lp_pool,
    "GlobalMaxPool": global_max_pool,
    "MaxRoiPool": max_roi_pool,
    "RoiAlign": roi_align,
}
