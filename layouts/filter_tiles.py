"""Stores one weight O x I x K x K per texel: a grid of filters, and inside each a grid of its kernels.

Source: the flattened filter texture of WebGL convolution networks written as plain fragment shaders.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair
from texelscope.layouts.grid import Grid, TileGrid, pieces
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class FilterTiles(Layout):
    """Places filter o in an outer grid of ⌈√O⌉ columns, its kernel i in an inner grid of ⌈√I⌉ columns.

    O, I, kernel rows and kernel columns are n, c, h, w of the 4-d view. `columns` and `rows` of the outer grid, or
    `inner_columns` and `inner_rows` of the inner one, make it another than near-square.
    """

    name: ClassVar[str] = "filter_tiles"
    lanes: ClassVar[int] = 1
    columns: int = 0
    rows: int = 0
    inner_columns: int = 0
    inner_rows: int = 0

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        return outer.rows * inner.rows * H, outer.columns * inner.columns * W

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        column = n % outer.columns * inner.columns + c % inner.columns
        row = n // outer.columns * inner.rows + c // inner.columns
        return column * W + w, row * H + h, 0

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int column = at.x % {outer.columns} * {inner.columns} + at.y % {inner.columns};\n"
            f"    int row = at.x / {outer.columns} * {inner.rows} + at.y / {inner.columns};\n"
            f"    return ivec3(column * {W} + at.w, row * {H} + at.z, 0);\n"
            f"}}\n"
        )

    def element_at(
        self,
        shape: Sequence[int],
        tx: Coordinate,
        ty: Coordinate,
        lane: Coordinate,
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        column, row = tx // W, ty // H
        o = row // inner.rows * outer.columns + column // inner.columns
        i = row % inner.rows * inner.columns + column % inner.columns
        return np.where((o < o_count) & (i < i_count), o, -1), i, ty % H, tx % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int column = texel.x / {W}, row = texel.y / {H};\n"
            f"    int o = row / {inner.rows} * {outer.columns} + column / {inner.columns};\n"
            f"    int i = row % {inner.rows} * {inner.columns} + column % {inner.columns};\n"
            f"    if (o >= {o_count} || i >= {i_count}) return ivec4(-1);\n"
            f"    return ivec4(o, i, texel.y % {H}, texel.x % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        o_count, i_count, H, W = elements.shape
        outer, inner = self._grids(o_count, i_count)
        # [filter row, filter column, kernel row, kernel column, h, w]
        kernels = texels.reshape(outer.rows, inner.rows, H, outer.columns, inner.columns, W)
        kernels = kernels.transpose(0, 3, 1, 4, 2, 5)
        for filters in pieces(0, o_count, outer.columns):
            for inputs in pieces(0, i_count, inner.columns):
                yield (
                    kernels[filters.rows, filters.columns, inputs.rows, inputs.columns],
                    elements[filters.span, inputs.span].reshape(*filters.shape, *inputs.shape, H, W),
                )

    def with_columns(self, columns: int) -> Layout:
        return dataclasses.replace(self, columns=columns, rows=0)

    def grid(self, shape: Sequence[int]) -> tuple[TileGrid, ...]:
        o_count, i_count, H, W = as_nchw(shape)
        outer, inner = self._grids(o_count, i_count)
        width, height = inner.columns * W, inner.rows * H
        return (
            TileGrid("outputs", o_count, outer.columns, width, height, per_n=1, per_c=0, least_rows=self.rows),
            TileGrid("inputs", i_count, inner.columns, W, H, per_n=0, per_c=1, least_rows=self.inner_rows),
        )

    def tile_count(self, shape: Sequence[int]) -> int:
        o_count, i_count, _, _ = as_nchw(shape)
        return o_count * i_count

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        _, i_count, H, W = as_nchw(shape)
        o, i = divmod(index, i_count)
        tx, ty, _ = self.texel_at(shape, o, i, 0, 0)
        return Tile(index, tx, ty, W, H, f"o{o} i{i}")

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        index = self.index_of(shape, tx, ty, 0)
        _, _, H, W = as_nchw(shape)
        return index // (H * W) if index >= 0 else -1

    def _grids(self, o_count: int, i_count: int) -> tuple[Grid, Grid]:
        """Returns the outer grid and the inner one."""
        return Grid.of(o_count, self.columns, self.rows), Grid.of(i_count, self.inner_columns, self.inner_rows)
