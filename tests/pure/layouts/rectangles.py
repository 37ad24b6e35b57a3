"""Tensors in atlases that tests run over: a rectangle with a layout inside, and one for each channel."""

from __future__ import annotations

from texelscope.layouts import Layout, layout
from texelscope.layouts.base import Area
from texelscope.layouts.rectangles import Rectangles


def _one(inner: Layout, shape: tuple[int, ...], x: int, y: int) -> tuple[Layout, tuple[int, ...]]:
    height, width = inner.texture_shape(shape)
    return Rectangles("atlas", (width + x + 3, height + y + 2), ((x, y, width, height),), inner), shape


def _several(inner: Layout, shape: tuple[int, int, int, int], count: int) -> tuple[Layout, tuple[int, ...]]:
    """Returns rectangles in two rows, the last one first, with gaps."""
    _, _, height, width = shape
    places = [(number // 2 * (width + 1) + 1, number % 2 * (height + 2), width, height) for number in range(count)]
    areas: tuple[Area, ...] = tuple(reversed(places))
    size = (max(area[0] for area in areas) + width, max(area[1] for area in areas) + height + 1)
    return Rectangles("atlas", size, areas, inner, is_grid=True), shape


RECTANGLES = (
    _one(layout("channel_tiles"), (1, 5, 3, 4), 2, 1),
    _one(layout("channel_tiles", columns=1), (2, 3, 5, 7), 0, 4),
    _one(layout("filter_tiles"), (3, 5, 2, 3), 1, 0),
    _one(layout("channel_tiles_rgba"), (2, 5, 3, 7), 3, 3),
    _one(layout("row_major_rgba", width=5), (7, 2, 1, 3), 6, 1),
    _one(layout("ordered_rgba", order="o/4, i/4, ky, kx, o%4 i%4"), (6, 3, 2, 5), 1, 1),
    _one(layout("tfjs_packed"), (1, 13, 5, 5), 0, 0),
    _several(layout("channel_tiles"), (1, 3, 4, 5), 3),
    _several(layout("channel_tiles"), (2, 5, 3, 1), 10),
    _several(layout("channel_tiles_rgba"), (1, 6, 3, 2), 2),
    _several(layout("channel_tiles_rgba"), (2, 13, 1, 1), 8),
    _several(layout("channel_tiles_rgba"), (1, 4, 2, 7), 1),
)

RECTANGLES_IDS = tuple(f"{entry} {shape}" for entry, shape in RECTANGLES)
