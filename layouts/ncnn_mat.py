"""Defines the base of the layouts of ncnn's blobs: packed channels in sequence, each starting at an aligned place.

Source: ncnn's Mat and VkMat: `elempack` channels in one packed element, `cstep` packed elements from one channel group
to the next.
"""

from __future__ import annotations

import dataclasses
from abc import ABC
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from texelscope.layouts.grid import ceil_div, ceil_sqrt
from texelscope.layouts.shapes import as_nchw

# OpenGL 4.1 and later promise it: rows and channels are texture rows only where that fits.
_SIDE = 16384


@dataclass(frozen=True)
class NcnnMat(Layout, ABC):
    """Places packed element q = (n·⌈C/pack⌉ + c div pack)·cstep + h·W + w in pack / lanes consecutive texels.

    `align`: cstep is H·W rounded up to a multiple of that many packed elements; 0, the default, is what aligns float32
    channels to 16 bytes. `step`, where it is not 0, is cstep itself. A texture row is a row of the channel where cstep
    is whole rows; else it is a channel group, or, of blobs that are too large for that, what makes the texture a near
    square.
    """

    pack: ClassVar[int]
    align: int = 0
    step: int = 0

    @property
    def channels_in_group(self) -> int:
        return self.pack

    def with_step(self, step: int) -> Layout:
        return dataclasses.replace(self, step=step)

    @classmethod
    def alignment(cls, bytes_per_number: int) -> int:
        """Returns `align` for numbers of that many bytes: channels start at multiples of 16 bytes."""
        return max(16 // (bytes_per_number * cls.pack), 1)

    def cstep(self, shape: Sequence[int]) -> int:
        """Returns the packed elements from one group of channels to the next."""
        _, _, H, W = as_nchw(shape)
        align = self.align or self.alignment(4)
        return self.step or ceil_div(H * W, align) * align

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, _, W = as_nchw(shape)
        texels = self.pack // self.lanes
        groups, step = N * ceil_div(C, self.pack), self.cstep(shape)
        for width in (W * texels, step * texels):
            if step * texels % width == 0 and max(width, groups * step * texels // width) <= _SIDE:
                return groups * step * texels // width, width
        width = ceil_sqrt(groups * step * texels)
        return ceil_div(groups * step * texels, width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        packed = (n * ceil_div(C, self.pack) + c // self.pack) * self.cstep(shape) + h * W + w
        texel = packed * (self.pack // self.lanes) + c % self.pack // self.lanes
        return texel % width, texel // width, c % self.lanes

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        groups, lanes = ceil_div(C, self.pack), self.lanes
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int packed_at = (at.x * {groups} + at.y / {self.pack}) * {self.cstep(shape)} + at.z * {W} + at.w;\n"
            f"    int texel = packed_at * {self.pack // lanes} + at.y % {self.pack} / {lanes};\n"
            f"    return ivec3(texel % {width}, texel / {width}, at.y % {lanes});\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        texels, groups, step = self.pack // self.lanes, ceil_div(C, self.pack), self.cstep(shape)
        texel = ty * width + tx
        packed = texel // texels
        group, place = packed // step, packed % step
        c = group % groups * self.pack + texel % texels * self.lanes + lane
        n = np.where((group < N * groups) & (place < H * W) & (c < C), group // groups, -1)
        return n, c, place // W, place % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        N, C, H, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        texels, groups, step = self.pack // self.lanes, ceil_div(C, self.pack), self.cstep(shape)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int at = texel.y * {width} + texel.x;\n"
            f"    int group = at / {texels} / {step}, place = at / {texels} % {step};\n"
            f"    int c = group % {groups} * {self.pack} + at % {texels} * {self.lanes} + texel.z;\n"
            f"    if (group >= {N * groups} || place >= {H * W} || c >= {C}) return ivec4(-1);\n"
            f"    return ivec4(group / {groups}, c, place / {W}, place % {W});\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        N, C, H, W = elements.shape
        groups, step = ceil_div(C, self.pack), self.cstep(elements.shape)
        # [n, group, place, channel of the group]
        packed = texels.reshape(-1)[: N * groups * step * self.pack].reshape(N, groups, step, self.pack)
        places = elements.reshape(N, C, H * W)
        for channel in range(min(self.pack, C)):
            source = places[:, channel :: self.pack]
            yield packed[:, : source.shape[1], : H * W, channel], source

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        as_nchw(shape)
        return 1 if self.lanes > 1 else None

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles: one per group of channels in whole texture rows; a near square is one tile."""
        N, C, _, _ = as_nchw(shape)
        return N * ceil_div(C, self.pack) if self._rows_a_group(shape) else 1

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        """Returns the rows of a group without padding behind its last place; a last group's unused channels count."""
        dims = as_nchw(shape)
        height, width = self.texture_shape(dims)
        rows = self._rows_a_group(dims)
        if rows == 0:
            return Tile(index, 0, 0, width, height, "blob")
        n, group = divmod(index, ceil_div(dims[1], self.pack))
        first, last = group * self.pack, min(group * self.pack + self.pack, dims[1]) - 1
        stored = dims[2] * dims[3] * (self.pack // self.lanes)
        channels = f"{first}-{last}" if last > first else str(first)
        label = channel_label(dims, n, channels)
        return Tile(index, 0, index * rows, min(width, stored), ceil_div(stored, width), label)

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        rows = self._rows_a_group(shape)
        tile = self.tile(shape, ty // rows if rows else 0)
        return tile.index if tx < tile.width and ty < tile.ty + tile.height else -1

    def _rows_a_group(self, shape: Sequence[int]) -> int:
        """Texture rows of one group of channels; 0 where groups do not begin with a row."""
        _, width = self.texture_shape(shape)
        rows, rest = divmod(self.cstep(shape) * (self.pack // self.lanes), width)
        return 0 if rest else rows
