"""Elements in their linear order, one a texel: what a buffer holds, element i at i.

The picture has the tensor's own rows where a texture can; a longer or wider tensor is folded into a near square.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.base import Tile, channel_label
from texelscope.layouts.flat import Flat
from texelscope.layouts.grid import ceil_div, ceil_sqrt
from texelscope.layouts.shapes import as_nchw

# Texels along a side that every driver has.
MOST_TEXELS = 8192


@dataclass(frozen=True)
class LinearLayout(Flat):
    """Element i at (i mod width, i div width): W columns, or near-square where those would be too many or too long."""

    name: ClassVar[str] = "linear"
    lanes: ClassVar[int] = 1

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        width = W if self._has_rows(shape) else ceil_sqrt(N * C * H * W)
        return ceil_div(N * C * H * W, width), width

    def tile_count(self, shape: Sequence[int]) -> int:
        """One tile a channel; of a tensor that is folded one a row."""
        N, C, _, _ = as_nchw(shape)
        return N * C if self._has_rows(shape) else self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        if self._has_rows(shape):
            n, c = divmod(index, dims[1])
            return Tile(index, 0, index * dims[2], dims[3], dims[2], channel_label(dims, n, str(c)))
        _, width = self.texture_shape(shape)
        first = index * width
        last = min(first + width, math.prod(dims)) - 1
        return Tile(index, 0, index, last - first + 1, 1, f"{first}-{last}" if last > first else str(first))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        if self.index_of(shape, tx, ty, 0) < 0:
            return -1
        return ty // as_nchw(shape)[2] if self._has_rows(shape) else ty

    def _has_rows(self, shape: Sequence[int]) -> bool:
        """Whether a row of the texture is a row of the tensor."""
        N, C, H, W = as_nchw(shape)
        return max(N * C * H, W) <= MOST_TEXELS
