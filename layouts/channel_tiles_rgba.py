"""Stores four consecutive channels in RGBA; each such group is a tile of H x W texels in a grid.

Source: the NC4HW4 packing of MNN and ncnn's pack4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from texelscope.layouts.grid import Grid, TileGrid, ceil_div, pieces
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class ChannelTilesRgba(Layout):
    """Places tile k = n·⌈C/4⌉ + c div 4 at column k mod `columns`, row k div `columns`; lane = c mod 4.

    `columns` and `rows` are those of the grid; 0 takes what the other needs, and ⌈√K⌉ columns of K = N·⌈C/4⌉ tiles
    where both are 0.
    """

    name: ClassVar[str] = "channel_tiles_rgba"
    lanes: ClassVar[int] = 4
    columns: int = 0
    rows: int = 0

    @property
    def channels_in_group(self) -> int:
        return 4

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        grid = self._grid(N * ceil_div(C, 4))
        return grid.rows * H, grid.columns * W

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        groups = ceil_div(C, 4)
        columns = self._grid(N * groups).columns
        tile = n * groups + c // 4
        return tile % columns * W + w, tile // columns * H + h, c % 4

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        groups = ceil_div(C, 4)
        columns = self._grid(N * groups).columns
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int tile = at.x * {groups} + at.y / 4;\n"
            f"    return ivec3(tile % {columns} * {W} + at.w, tile / {columns} * {H} + at.z, at.y % 4);\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        groups = ceil_div(C, 4)
        columns = self._grid(N * groups).columns
        tile = ty // H * columns + tx // W
        c = tile % groups * 4 + lane
        n = np.where((tile < N * groups) & (c < C), tile // groups, -1)
        return n, c, ty % H, tx % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        groups = ceil_div(C, 4)
        columns = self._grid(N * groups).columns
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int tile = texel.y / {H} * {columns} + texel.x / {W};\n"
            f"    int c = tile % {groups} * 4 + texel.z;\n"
            f"    if (tile >= {N * groups} || c >= {C}) return ivec4(-1);\n"
            f"    return ivec4(tile / {groups}, c, texel.y % {H}, texel.x % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        N, C, H, W = elements.shape
        groups, whole_groups = ceil_div(C, 4), C // 4
        grid = self._grid(N * groups)
        # [grid row, grid column, lane, h, w]
        tiles = texels.reshape(grid.rows, H, grid.columns, W, 4).transpose(0, 2, 4, 1, 3)
        if groups == whole_groups:
            runs = [(0, elements.reshape(N * groups, 4, H, W))]
        else:
            # The last group of each n is short, so that tiles of different n cannot form one view.
            whole = elements[:, : whole_groups * 4].reshape(N, -1, 4, H, W)
            runs = [(n * groups, whole[n]) for n in range(N)] if whole_groups else []
        for start, packed in runs:
            for piece in pieces(start, start + len(packed), grid.columns):
                span = slice(piece.span.start - start, piece.span.stop - start)
                target_shape = (*piece.shape, 4, H, W)
                yield tiles[piece.rows, piece.columns], packed[span].reshape(target_shape)
        if groups != whole_groups:
            for n in range(N):
                row, column = divmod(n * groups + whole_groups, grid.columns)
                yield tiles[row, column, : C % 4], elements[n, whole_groups * 4 :]

    def with_columns(self, columns: int) -> Layout:
        return ChannelTilesRgba(columns)

    def lane_axis(self, shape: Sequence[int]) -> int:
        as_nchw(shape)
        return 1

    def grid(self, shape: Sequence[int]) -> tuple[TileGrid, ...]:
        N, C, H, W = as_nchw(shape)
        groups = ceil_div(C, 4)
        columns = self._grid(N * groups).columns
        return (TileGrid("tiles", N * groups, columns, W, H, per_n=groups, per_c=1, channels=4, least_rows=self.rows),)

    def tile_count(self, shape: Sequence[int]) -> int:
        N, C, _, _ = as_nchw(shape)
        return N * ceil_div(C, 4)

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        n, group = divmod(index, ceil_div(dims[1], 4))
        first, last = group * 4, min(group * 4 + 4, dims[1]) - 1
        tx, ty, _ = self.texel_at(dims, n, first, 0, 0)
        channels = f"{first}-{last}" if last > first else str(first)
        return Tile(index, tx, ty, dims[3], dims[2], channel_label(dims, n, channels))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        index = self.index_of(shape, tx, ty, 0)
        _, C, H, W = as_nchw(shape)
        n, c = divmod(index // (H * W), C)
        return n * ceil_div(C, 4) + c // 4 if index >= 0 else -1

    def _grid(self, count: int) -> Grid:
        return Grid.of(count, self.columns, self.rows)
