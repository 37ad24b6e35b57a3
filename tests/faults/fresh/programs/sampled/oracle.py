"""What the passes of the resampled picture should give; arrays are N, C, H, W."""

from typing import Any

import numpy as np

Array = Any


def grown(A: Array, outDims: Array) -> Array:
    h, w = int(outDims[0]), int(outDims[1])
    rows = np.arange(h) * ((A.shape[2] - 1) / (h - 1))
    columns = np.arange(w) * ((A.shape[3] - 1) / (w - 1))
    return _mixed(_mixed(A, 2, rows), 3, columns)


def pooled(x: Array, strides: Array) -> Array:
    down, across = int(strides[0]), int(strides[1])
    rows = (x.shape[2] - 3) // down + 1
    columns = (x.shape[3] - 3) // across + 1
    result: Any = None
    for p in range(3):
        for q in range(3):
            tap = x[:, :, p : p + down * (rows - 1) + 1 : down, q : q + across * (columns - 1) + 1 : across]
            result = tap if result is None else np.maximum(result, tap)
    return result


def nearest(A: Array, outDims: Array) -> Array:
    h, w = int(outDims[0]), int(outDims[1])
    rows = ((np.arange(h) + 0.5) * A.shape[2] / h).astype(int)
    columns = ((np.arange(w) + 0.5) * A.shape[3] / w).astype(int)
    return A[:, :, rows][:, :, :, columns]


def crops(Image: Array, Boxes: Array, cropDims: Array, extrapolationValue: float) -> Array:
    h, w = int(cropDims[0]), int(cropDims[1])
    tall, wide = Image.shape[2] - 1, Image.shape[3] - 1
    result = np.full((len(Boxes), Image.shape[1], h, w), float(extrapolationValue))
    for b, (y1, x1, y2, x2) in enumerate(Boxes):
        rows = y1 * tall + np.arange(h) * (y2 - y1) * tall / (h - 1)
        columns = x1 * wide + np.arange(w) * (x2 - x1) * wide / (w - 1)
        below = np.flatnonzero((rows >= 0) & (rows <= tall))
        right = np.flatnonzero((columns >= 0) & (columns <= wide))
        inside = _mixed(_mixed(Image, 2, rows[below]), 3, columns[right])
        result[b][:, below[:, None], right[None, :]] = inside[0]
    return result


def _mixed(A: Array, axis: int, places: Array) -> Array:
    first = np.floor(places).astype(int)
    last = np.minimum(first + 1, A.shape[axis] - 1)
    shape = [1, 1, 1, 1]
    shape[axis] = -1
    share = (places - first).reshape(shape)
    return np.take(A, first, axis) * (1 - share) + np.take(A, last, axis) * share
