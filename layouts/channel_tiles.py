"""Stores one element per texel; each channel is a tile of H x W texels; tiles lie in a grid, row by row.

Source: the flattened tensor of WebGL convolution networks written as plain fragment shaders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from texelscope.layouts.filter_tiles import FilterTiles
from texelscope.layouts.grid import Grid, TileGrid, pieces
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class ChannelTiles(Layout):
    """Places tile k = n·C + c of one channel at column k mod `columns`, row k div `columns`.

    `columns` and `rows` are those of the grid; 0 takes what the other needs, and ⌈√(N·C)⌉ columns where both are 0.
    """

    name: ClassVar[str] = "channel_tiles"
    lanes: ClassVar[int] = 1
    columns: int = 0
    rows: int = 0

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        grid = self._grid(N * C)
        return grid.rows * H, grid.columns * W

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        columns = self._grid(N * C).columns
        tile = n * C + c
        return tile % columns * W + w, tile // columns * H + h, 0

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        columns = self._grid(N * C).columns
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int tile = at.x * {C} + at.y;\n"
            f"    return ivec3(tile % {columns} * {W} + at.w, tile / {columns} * {H} + at.z, 0);\n"
            f"}}\n"
        )

    def element_at(
        self,
        shape: Sequence[int],
        tx: Coordinate,
        ty: Coordinate,
        lane: Coordinate,
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        columns = self._grid(N * C).columns
        tile = ty // H * columns + tx // W
        n = np.where(tile < N * C, tile // C, -1)
        return n, tile % C, ty % H, tx % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        columns = self._grid(N * C).columns
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int tile = texel.y / {H} * {columns} + texel.x / {W};\n"
            f"    if (tile >= {N * C}) return ivec4(-1);\n"
            f"    return ivec4(tile / {C}, tile % {C}, texel.y % {H}, texel.x % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        N, C, H, W = elements.shape
        grid = self._grid(N * C)
        tiles = texels.reshape(grid.rows, H, grid.columns, W).transpose(0, 2, 1, 3)
        channels = elements.reshape(N * C, H, W)
        for piece in pieces(0, N * C, grid.columns):
            yield (
                tiles[piece.rows, piece.columns],
                channels[piece.span].reshape(*piece.shape, H, W),
            )

    def with_columns(self, columns: int) -> Layout:
        return ChannelTiles(columns)

    @property
    def for_filters(self) -> Layout:
        return FilterTiles()

    def grid(self, shape: Sequence[int]) -> tuple[TileGrid, ...]:
        N, C, H, W = as_nchw(shape)
        columns = self._grid(N * C).columns
        return (TileGrid("tiles", N * C, columns, W, H, per_n=C, per_c=1, least_rows=self.rows),)

    def tile_count(self, shape: Sequence[int]) -> int:
        N, C, _, _ = as_nchw(shape)
        return N * C

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        n, c = divmod(index, dims[1])
        tx, ty, _ = self.texel_at(dims, n, c, 0, 0)
        return Tile(index, tx, ty, dims[3], dims[2], channel_label(dims, n, str(c)))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        index = self.index_of(shape, tx, ty, 0)
        _, _, H, W = as_nchw(shape)
        return index // (H * W) if index >= 0 else -1

    def _grid(self, count: int) -> Grid:
        return Grid.of(count, self.columns, self.rows)
