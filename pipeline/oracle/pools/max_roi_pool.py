"""MaxRoiPool: the largest element of each cell of a region, which onnx.reference lacks.

Regions are rounded to whole elements (a half away from zero) and hold both of their ends; the cells of a region
overlap where its size is no multiple of their number (Girshick, Fast R-CNN, 2015, and its implementation in Caffe).
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "MaxRoiPool"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, C, H, W], regions [R, 5] (image, left, top, right, bottom) → [R, C, height, width]."""
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
