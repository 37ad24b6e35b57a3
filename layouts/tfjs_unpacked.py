"""One value a texel: the logical rows of the tensor, one below the other.

Source: the unpacked textures of TensorFlow.js, logical rows x columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from layouts.base import Coordinate, Layout, Tile, ViewPair, channel_label
from layouts.shapes import as_nchw


@dataclass(frozen=True)
class TfjsUnpacked(Layout):
    """Texture of N·C·H rows and W columns, without padding."""

    name: ClassVar[str] = "tfjs_unpacked"
    lanes: ClassVar[int] = 1

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        N, C, H, W = as_nchw(shape)
        return N * C * H, W

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, C, H, _ = as_nchw(shape)
        return w, (n * C + c) * H + h, 0

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, C, H, _ = as_nchw(shape)
        return f"ivec3 {name}(ivec4 at) {{\n    return ivec3(at.w, (at.x * {C} + at.y) * {H} + at.z, 0);\n}}\n"

    def element_at(
        self,
        shape: Sequence[int],
        tx: Coordinate,
        ty: Coordinate,
        lane: Coordinate,
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        _, C, H, _ = as_nchw(shape)
        channel = ty // H
        return channel // C, channel % C, ty % H, tx

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        _, C, H, _ = as_nchw(shape)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int channel = texel.y / {H};\n"
            f"    return ivec4(channel / {C}, channel % {C}, texel.y % {H}, texel.x);\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        yield texels.reshape(elements.shape), elements

    def tile_count(self, shape: Sequence[int]) -> int:
        N, C, _, _ = as_nchw(shape)
        return N * C

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        n, c = divmod(index, dims[1])
        return Tile(index, 0, index * dims[2], dims[3], dims[2], channel_label(dims, n, str(c)))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        return ty // as_nchw(shape)[2]
