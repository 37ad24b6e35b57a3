"""Stores 2 x 2 blocks of the last two axes in RGBA; a texture row is half a logical row pair.

Source: the packed textures of TensorFlow.js; where those do not fit, or the backend prefers it, the same texels row
by row in a texture of another width. TensorFlow's images have their channels last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.layouts.storage_order import check_order, logical, row_tile, stored, tile_label


@dataclass(frozen=True)
class TfjsPacked(Layout):
    """Has a texture of N·C·⌈H/2⌉ rows and ⌈W/2⌉ columns; lane = (h mod 2)·2 + w mod 2.

    `width` is in texels; 0 takes half the innermost axis. `order` says in which order axes lie in memory: `nchw`,
    `nhwc` (the blocks are then of w and c), or, of weights, `hwio`.
    """

    name: ClassVar[str] = "tfjs_packed"
    lanes: ClassVar[int] = 4
    width: int = 0
    order: str = "nchw"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.name, self.order)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        A, B, C, D = stored(self.order, as_nchw(shape))
        width = self._width(shape)
        return ceil_div(A * B * ceil_div(C, 2) * ceil_div(D, 2), width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, B, C, D = stored(self.order, as_nchw(shape))
        i, j, k, m = stored(self.order, (n, c, h, w))
        row, column, lane = (i * B + j) * ceil_div(C, 2) + k // 2, m // 2, k % 2 * 2 + m % 2
        if self._is_plain(shape):
            return column, row, lane
        texel = row * ceil_div(D, 2) + column
        return texel % self.width, texel // self.width, lane

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, B, C, D = stored(self.order, as_nchw(shape))
        i, j, k, m = stored(self.order, ("at.x", "at.y", "at.z", "at.w"))
        row, lane = f"({i} * {B} + {j}) * {ceil_div(C, 2)} + {k} / 2", f"{k} % 2 * 2 + {m} % 2"
        if self._is_plain(shape):
            return f"ivec3 {name}(ivec4 at) {{\n    return ivec3({m} / 2, {row}, {lane});\n}}\n"
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int texel = ({row}) * {ceil_div(D, 2)} + {m} / 2;\n"
            f"    return ivec3(texel % {self.width}, texel / {self.width}, {lane});\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        A, B, C, D = stored(self.order, as_nchw(shape))
        rows, columns = ceil_div(C, 2), ceil_div(D, 2)
        texel = ty * self._width(shape) + tx
        row, column = (ty, tx) if self._is_plain(shape) else (texel // columns, texel % columns)
        outer, k, m = row // rows, row % rows * 2 + lane // 2, column * 2 + lane % 2
        n, c, h, w = logical(self.order, (outer // B, outer % B, k, m))
        return np.where((k < C) & (m < D) & (outer < A * B), n, -1), c, h, w

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        A, B, C, D = stored(self.order, as_nchw(shape))
        rows, columns = ceil_div(C, 2), ceil_div(D, 2)
        at = ", ".join(logical(self.order, (f"outer / {B}", f"outer % {B}", "k", "m")))
        if self._is_plain(shape):
            start, beyond = "    int row = texel.y, column = texel.x;\n", ""
        else:
            start = (
                f"    int index = texel.y * {self.width} + texel.x;\n"
                f"    int row = index / {columns}, column = index % {columns};\n"
            )
            beyond = f" || outer >= {A * B}"
        return (
            f"ivec4 {name}(ivec3 texel) {{\n{start}"
            f"    int outer = row / {rows};\n"
            f"    int k = row % {rows} * 2 + texel.z / 2, m = column * 2 + texel.z % 2;\n"
            f"    if (k >= {C} || m >= {D}{beyond}) return ivec4(-1);\n"
            f"    return ivec4({at});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        A, B, C, D = stored(self.order, elements.shape)
        rows, columns = ceil_div(C, 2), ceil_div(D, 2)
        held = elements.transpose(stored(self.order, range(4)))
        blocks = texels.reshape(-1, 4)[: A * B * rows * columns].reshape(A, B, rows, columns, 4)
        for lane in range(4):
            source = held[:, :, lane // 2 :: 2, lane % 2 :: 2]
            yield blocks[:, :, : source.shape[2], : source.shape[3], lane], source

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles: one for the two innermost axes, or one per texture row where these form no rectangle."""
        A, B, _, _ = stored(self.order, as_nchw(shape))
        return A * B if self._is_plain(shape) else self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        A, B, C, D = stored(self.order, dims)
        height, width = ceil_div(C, 2), ceil_div(D, 2)
        if not self._is_plain(shape):
            return row_tile(index, self.width, A * B * height * width)
        return Tile(index, 0, index * height, width, height, tile_label(self.order, dims, index))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        if not self._is_plain(shape):
            return ty if self.index_of(shape, tx, ty, 0) >= 0 else -1
        self._check_inside(shape, tx, ty, 0)
        return ty // ceil_div(stored(self.order, as_nchw(shape))[2], 2)

    def _width(self, shape: Sequence[int]) -> int:
        return self.width or ceil_div(stored(self.order, as_nchw(shape))[3], 2)

    def _is_plain(self, shape: Sequence[int]) -> bool:
        """Whether a row of the texture is one row of blocks."""
        return self._width(shape) == ceil_div(stored(self.order, as_nchw(shape))[3], 2)
