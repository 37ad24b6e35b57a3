"""Stores one value per texel: the logical rows of the tensor, one below the other.

Source: the unpacked textures of TensorFlow.js, logical rows x columns; where those do not fit, or the backend prefers
it, the same values row by row in a texture of another width. TensorFlow's images have their channels last.
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
from texelscope.layouts.storage_order import check_order, count, logical, row_tile, stored, tile_label


@dataclass(frozen=True)
class TfjsUnpacked(Layout):
    """Has a texture of N·C·H rows and W columns, no padding; memory element i is at (i mod width, i div width).

    `width` is in texels; 0 takes the innermost axis. `order` says in which order axes lie in memory: `nchw`, `nhwc`,
    or, of weights, `hwio`.
    """

    name: ClassVar[str] = "tfjs_unpacked"
    lanes: ClassVar[int] = 1
    width: int = 0
    order: str = "nchw"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.name, self.order)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        dims = as_nchw(shape)
        width = self._width(shape)
        return ceil_div(count(dims), width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, B, C, D = stored(self.order, as_nchw(shape))
        i, j, k, m = stored(self.order, (n, c, h, w))
        row = (i * B + j) * C + k
        if self._width(shape) == D:
            return m, row, 0
        index = row * D + m
        return index % self.width, index // self.width, 0

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, B, C, D = stored(self.order, as_nchw(shape))
        i, j, k, m = stored(self.order, ("at.x", "at.y", "at.z", "at.w"))
        row = f"({i} * {B} + {j}) * {C} + {k}"
        if self._width(shape) == D:
            return f"ivec3 {name}(ivec4 at) {{\n    return ivec3({m}, {row}, 0);\n}}\n"
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int index = ({row}) * {D} + {m};\n"
            f"    return ivec3(index % {self.width}, index / {self.width}, 0);\n"
            f"}}\n"
        )

    def element_at(
        self,
        shape: Sequence[int],
        tx: Coordinate,
        ty: Coordinate,
        lane: Coordinate,
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        A, B, C, D = stored(self.order, as_nchw(shape))
        width = self._width(shape)
        index = ty * width + tx
        row, m = (ty, tx) if width == D else (index // D, index % D)
        n, c, h, w = logical(self.order, (row // C // B, row // C % B, row % C, m))
        return (n if width == D else np.where(index < A * B * C * D, n, -1)), c, h, w

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        A, B, C, D = stored(self.order, as_nchw(shape))
        width = self._width(shape)
        at = ", ".join(logical(self.order, (f"outer / {B}", f"outer % {B}", f"row % {C}", "column")))
        if width == D:
            start = "    int row = texel.y, column = texel.x;\n"
        else:
            start = (
                f"    int index = texel.y * {width} + texel.x;\n"
                f"    if (index >= {A * B * C * D}) return ivec4(-1);\n"
                f"    int row = index / {D}, column = index % {D};\n"
            )
        return f"ivec4 {name}(ivec3 texel) {{\n{start}    int outer = row / {C};\n    return ivec4({at});\n}}\n"

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        dims = stored(self.order, elements.shape)
        yield texels.reshape(-1)[: elements.size].reshape(dims), elements.transpose(stored(self.order, range(4)))

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles: one for the two innermost axes, or one per texture row where these form no rectangle."""
        A, B, _, D = stored(self.order, as_nchw(shape))
        return A * B if self._width(shape) == D else self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        dims = as_nchw(shape)
        _, _, C, D = stored(self.order, dims)
        if self._width(shape) != D:
            return row_tile(index, self.width, count(dims))
        return Tile(index, 0, index * C, D, C, tile_label(self.order, dims, index))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        _, _, C, D = stored(self.order, as_nchw(shape))
        if self._width(shape) != D:
            return ty if self.index_of(shape, tx, ty, 0) >= 0 else -1
        self._check_inside(shape, tx, ty, 0)
        return ty // C

    def _width(self, shape: Sequence[int]) -> int:
        return self.width or stored(self.order, as_nchw(shape))[3]
