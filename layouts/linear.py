"""Elements in their linear order, one a texel: what a buffer holds, element i at i.

The picture has the tensor's own rows where a texture can; a longer or wider tensor is folded into a near square.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from layouts.grid import ceil_div, ceil_sqrt
from layouts.shapes import as_nchw

# Texels along a side that every driver has.
MOST_TEXELS = 8192


@dataclass(frozen=True)
class Linear(Layout):
    """Element i at (i mod width, i div width): W columns, or near-square where those would be too many or too long."""

    name: ClassVar[str] = "linear"
    lanes: ClassVar[int] = 1

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        width = W if self._has_rows(shape) else ceil_sqrt(N * C * H * W)
        return ceil_div(N * C * H * W, width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = ((n * C + c) * H + h) * W + w
        return index % width, index // width, 0

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int index = ((at.x * {C} + at.y) * {H} + at.z) * {W} + at.w;\n"
            f"    return ivec3(index % {width}, index / {width}, 0);\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = ty * width + tx
        row = index // W
        channel = row // H
        return np.where(channel < N * C, channel // C, -1), channel % C, row % H, index % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int index = texel.y * {width} + texel.x;\n"
            f"    int row = index / {W}, channel = row / {H};\n"
            f"    if (channel >= {N * C}) return ivec4(-1);\n"
            f"    return ivec4(channel / {C}, channel % {C}, row % {H}, index % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        yield texels.reshape(-1)[: elements.size], elements.reshape(-1)

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
