"""A layout that is not among those of the program: the lanes of a texel hold four rows, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from texelscope.layouts.base import Coordinate, Layout
from texelscope.layouts.grid import TileGrid, ceil_div
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class UprightTiles(Layout):
    """Channel k = n·C + c in a grid of `columns`, each ⌈H/4⌉ texels high and W up to a multiple of eight wide."""

    name: ClassVar[str] = "upright_tiles"
    lanes: ClassVar[int] = 4
    columns: int = 3

    def grid(self, shape: Sequence[int]) -> tuple[TileGrid, ...]:
        N, C, H, W = as_nchw(shape)
        return (TileGrid("channels", N * C, self.columns, ceil_div(W, 8) * 8, ceil_div(H, 4), per_n=C, per_c=1),)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        (grid,) = self.grid(shape)
        return grid.rows * grid.height, grid.columns * grid.width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        (grid,) = self.grid(shape)
        k = grid.number(n, c)
        return k % grid.columns * grid.width + w, k // grid.columns * grid.height + h // 4, h % 4

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        (grid,) = self.grid(shape)
        _, C, H, W = as_nchw(shape)
        k = ty // grid.height * grid.columns + tx // grid.width
        h, w = ty % grid.height * 4 + lane, tx % grid.width
        return np.where((k < grid.count) & (h < H) & (w < W), k // C, -1), k % C, h, w

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        (grid,) = self.grid(shape)
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int k = at.x * {grid.per_n} + at.y;\n"
            f"    int column = k % {grid.columns}, row = k / {grid.columns};\n"
            f"    return ivec3(column * {grid.width} + at.w, row * {grid.height} + at.z / 4, at.z % 4);\n"
            f"}}\n"
        )

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        (grid,) = self.grid(shape)
        _, C, H, W = as_nchw(shape)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int k = texel.y / {grid.height} * {grid.columns} + texel.x / {grid.width};\n"
            f"    int h = texel.y % {grid.height} * 4 + texel.z, w = texel.x % {grid.width};\n"
            f"    if (k >= {grid.count} || h >= {H} || w >= {W}) return ivec4(-1);\n"
            f"    return ivec4(k / {C}, k % {C}, h, w);\n"
            f"}}\n"
        )
