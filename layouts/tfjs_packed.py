"""Blocks of 2 x 2 neighbours of the last two axes in RGBA; a texture row is half a logical row pair.

Source: the packed textures of TensorFlow.js.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from layouts.grid import ceil_div
from layouts.shapes import as_nchw


@dataclass(frozen=True)
class TfjsPacked(Layout):
    """Texture of N·C·⌈H/2⌉ rows and ⌈W/2⌉ columns; lane = (h mod 2)·2 + w mod 2."""

    name: ClassVar[str] = "tfjs_packed"
    lanes: ClassVar[int] = 4

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        return N * C * ceil_div(H, 2), ceil_div(W, 2)

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, H, _ = as_nchw(shape)
        return w // 2, (n * C + c) * ceil_div(H, 2) + h // 2, h % 2 * 2 + w % 2

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, H, _ = as_nchw(shape)
        rows = ceil_div(H, 2)
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    return ivec3(at.w / 2, (at.x * {C} + at.y) * {rows} + at.z / 2, at.z % 2 * 2 + at.w % 2);\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        _, C, H, W = as_nchw(shape)
        rows = ceil_div(H, 2)
        channel = ty // rows
        h, w = ty % rows * 2 + lane // 2, tx * 2 + lane % 2
        return np.where((h < H) & (w < W), channel // C, -1), channel % C, h, w

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        _, C, H, W = as_nchw(shape)
        rows = ceil_div(H, 2)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int channel = texel.y / {rows};\n"
            f"    int h = texel.y % {rows} * 2 + texel.z / 2, w = texel.x * 2 + texel.z % 2;\n"
            f"    if (h >= {H} || w >= {W}) return ivec4(-1);\n"
            f"    return ivec4(channel / {C}, channel % {C}, h, w);\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        N, C, H, W = elements.shape
        channels = elements.reshape(N * C, H, W)
        blocks = texels.reshape(N * C, ceil_div(H, 2), ceil_div(W, 2), 4)
        for lane in range(4):
            source = channels[:, lane // 2 :: 2, lane % 2 :: 2]
            yield blocks[:, : source.shape[1], : source.shape[2], lane], source

    def tile_count(self, shape: Sequence[int]) -> int:
        N, C, _, _ = as_nchw(shape)
        return N * C

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        n, c = divmod(index, dims[1])
        height, width = ceil_div(dims[2], 2), ceil_div(dims[3], 2)
        return Tile(index, 0, index * height, width, height, channel_label(dims, n, str(c)))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        return ty // ceil_div(as_nchw(shape)[2], 2)
