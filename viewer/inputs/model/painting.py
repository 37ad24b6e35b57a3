"""Paints round strokes on planes of numbers; needs no window."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Shape

Point = tuple[float, float]
Planes = NDArray[np.float32]


def is_paintable(shape: Shape) -> bool:
    """Returns whether a tensor looks like a picture: 1, 3 or 4 channels, at least 2 by 2."""
    n, c, height, width = as_nchw(shape)
    return len(shape) >= 2 and n == 1 and c in (1, 3, 4) and height > 1 and width > 1


def stroke(planes: Planes, start: Point, end: Point, radius: float, colour: tuple[float, ...]) -> Planes:
    """Returns a copy of `planes` (float32 C, H, W) with a round stroke; points and radius in pixels from the corner.

    `colour` has a number for each channel. A pixel belongs to the stroke if its centre does; the pixel under the
    pointer always does.
    """
    painted = planes.copy()
    _, height, width = planes.shape
    rows, columns = np.indices((height, width), dtype=np.float64) + 0.5
    along = (end[0] - start[0], end[1] - start[1])
    length = math.hypot(*along)
    share = np.zeros((height, width))
    if length > 0.0:
        share = np.clip(((columns - start[0]) * along[0] + (rows - start[1]) * along[1]) / length**2, 0.0, 1.0)
    distance = np.hypot(columns - start[0] - share * along[0], rows - start[1] - share * along[1])
    covered = distance <= max(radius, 0.0)
    x, y = math.floor(end[0]), math.floor(end[1])
    if 0 <= x < width and 0 <= y < height:
        covered[y, x] = True
    for plane, value in zip(painted, colour, strict=True):
        plane[covered] = value
    return painted


def as_rgb(planes: Planes) -> NDArray[np.uint8]:
    """Converts planes in [0, 1] to uint8 [H, W, 3]; one channel becomes grey, the fourth is dropped."""
    shown = np.nan_to_num(np.clip(planes, 0.0, 1.0))
    rgb = np.repeat(shown, 3, axis=0) if len(shown) == 1 else shown[:3]
    return np.ascontiguousarray(np.rint(np.moveaxis(rgb, 0, 2) * 255.0).astype(np.uint8))
