"""Elements in their linear order, as many a texel as it has lanes, texels row by row: what flat layouts share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, ViewPair
from texelscope.layouts.shapes import as_nchw


class Flat(Layout):
    """Element i in lane i mod lanes of texel t = i div lanes, at (t mod width, t div width)."""

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = ((n * C + c) * H + h) * W + w
        texel = index // self.lanes
        return texel % width, texel // width, index % self.lanes

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        texel, lane = ("index", "0") if self.lanes == 1 else (f"index / {self.lanes}", f"index % {self.lanes}")
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int index = ((at.x * {C} + at.y) * {H} + at.z) * {W} + at.w;\n"
            f"    return ivec3({texel} % {width}, {texel} / {width}, {lane});\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        index = (ty * width + tx) * self.lanes + lane
        row = index // W
        channel = row // H
        return np.where(channel < N * C, channel // C, -1), channel % C, row % H, index % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        texel = f"texel.y * {width} + texel.x"
        index = texel if self.lanes == 1 else f"({texel}) * {self.lanes} + texel.z"
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int index = {index};\n"
            f"    int row = index / {W}, channel = row / {H};\n"
            f"    if (channel >= {N * C}) return ivec4(-1);\n"
            f"    return ivec4(channel / {C}, channel % {C}, row % {H}, index % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        yield texels.reshape(-1)[: elements.size], elements.reshape(-1)
