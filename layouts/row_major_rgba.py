"""Stores flat elements, four per texel, row by row; channels have no rectangles.

Source: the texture memory of TensorJS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.base import Layout, Tile
from texelscope.layouts.flat import Flat
from texelscope.layouts.grid import ceil_div, ceil_sqrt
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class RowMajorRgba(Flat):
    """Places element i in lane i mod 4 of texel t = i div 4, at (t mod width, t div width).

    `width` is in texels; 0 makes the texture near-square.
    """

    name: ClassVar[str] = "row_major_rgba"
    lanes: ClassVar[int] = 4
    width: int = 0

    @property
    def near_square(self) -> bool:
        return self.width == 0

    def with_width(self, width: int) -> Layout:
        return RowMajorRgba(width)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        texel_count = ceil_div(math.prod(as_nchw(shape)), 4)
        width = self.width or ceil_sqrt(texel_count)
        return ceil_div(texel_count, width), width

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        """Returns the last axis longer than 1, if its rows fill whole texels or there is only one row."""
        dims = as_nchw(shape)
        axis = max((axis for axis, size in enumerate(dims) if size > 1), default=3)
        return axis if dims[axis] % 4 == 0 or math.prod(dims[:axis]) == 1 else None

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles: one per texture row, since a row holds a run of elements and a channel is no rectangle."""
        return self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        _, width = self.texture_shape(shape)
        first = index * width * 4
        last = min(first + width * 4, math.prod(as_nchw(shape))) - 1
        label = f"{first}-{last}" if last > first else str(first)
        return Tile(index, 0, index, ceil_div(last - first + 1, 4), 1, label)

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        return ty if self.index_of(shape, tx, ty, 0) >= 0 else -1
