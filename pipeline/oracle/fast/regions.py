"""Evaluates pools of regions, which an input lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Evaluate, Invocation, Outputs


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

    Places are computed in float32 in the order of onnx.reference, which walks every sample in Python.

    Maps X [N, C, H, W], regions [R, 4], images [R] → [R, C, height, width].
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
    "MaxRoiPool": max_roi_pool,
    "RoiAlign": roi_align,
}
