"""Flat elements, four a texel, row by row; channels have no rectangle of their own.

Source: the texture memory of TensorJS.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from layouts.base import Coordinate, Layout, Tile, ViewPair
from layouts.errors import LayoutError
from layouts.grid import ceil_div, ceil_sqrt
from layouts.shapes import as_nchw


@dataclass(frozen=True)
class RowMajorRgba(Layout):
    """Element i in lane i mod 4 of texel t = i div 4, at (t mod width, t div width).

    `width` is in texels; 0 makes the texture near-square.
    """

    name: ClassVar[str] = "row_major_rgba"
    lanes: ClassVar[int] = 4
    width: int = 0

    def __post_init__(self) -> None:
        width: object = self.width  # it may come from a file
        if isinstance(width, bool) or not isinstance(width, int) or width < 0:
            raise LayoutError(
                f"layout '{self.name}'",
                "a width that is a whole number of texels, 0 or more",
                repr(width),
                "0 chooses a near-square texture.",
            )

    @property
    def near_square(self) -> bool:
        return self.width == 0

    def with_width(self, width: int) -> Layout:
        return RowMajorRgba(width)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        texel_count = ceil_div(math.prod(as_nchw(shape)), 4)
        width = self.width or ceil_sqrt(texel_count)
        return ceil_div(texel_count, width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = ((n * C + c) * H + h) * W + w
        texel = index // 4
        return texel % width, texel // width, index % 4

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int index = ((at.x * {C} + at.y) * {H} + at.z) * {W} + at.w;\n"
            f"    return ivec3(index / 4 % {width}, index / 4 / {width}, index % 4);\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = (ty * width + tx) * 4 + lane
        row = index // W
        tile = row // H
        return (
            np.where(tile < N * C, tile // C, -1),
            tile % C,
            row % H,
            index % W,
        )

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int index = (texel.y * {width} + texel.x) * 4 + texel.z;\n"
            f"    int row = index / {W}, channel = row / {H};\n"
            f"    if (channel >= {N * C}) return ivec4(-1);\n"
            f"    return ivec4(channel / {C}, channel % {C}, row % {H}, index % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        yield texels.reshape(-1)[: elements.size], elements.reshape(-1)

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        """The last axis longer than 1, where its rows come in whole texels or there is only one."""
        dims = as_nchw(shape)
        axis = max((axis for axis, size in enumerate(dims) if size > 1), default=3)
        return axis if dims[axis] % 4 == 0 or math.prod(dims[:axis]) == 1 else None

    def tile_count(self, shape: Sequence[int]) -> int:
        """One tile a texture row: a row holds a run of elements, a channel is no rectangle here."""
        return self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        _, width = self.texture_shape(shape)
        first = index * width * 4
        last = min(first + width * 4, math.prod(as_nchw(shape))) - 1
        label = f"{first}-{last}" if last > first else str(first)
        return Tile(index, 0, index, ceil_div(last - first + 1, 4), 1, label)

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        return ty if self.index_of(shape, tx, ty, 0) >= 0 else -1
