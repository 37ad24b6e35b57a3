"""Places a tensor into rectangles of a texture that other tensors share, an atlas.

One rectangle holds the tensor in another layout, whose texture has just that size. Of several rectangles each holds one
channel, or a group of four in a texture of four lanes, all of n = 0 first.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.base import Area, Coordinate, Layout, Tile, channel_label
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.shapes import Dims, as_nchw

MOST_RECTANGLES = 256


@dataclass(frozen=True)
class _Part:
    """A rectangle that holds elements of `dims`, from the linear index `first` on, in the inner layout."""

    area: Area
    dims: Dims
    n: int
    c: int
    first: int
    label: str


@dataclass(frozen=True)
class Rectangles(Layout):
    """Places a tensor into `areas_given` of the texture `atlas`, `size` texels wide and high, each by `inner`.

    `is_grid` says that each area holds a channel, or four. It has no name in a file and no default parameters.
    """

    name: ClassVar[str] = "rectangle"
    atlas_name: str = ""
    size: tuple[int, int] = (0, 0)
    areas_given: tuple[Area, ...] = ()
    inner: Layout | None = None
    is_grid: bool = False

    @property
    def lanes(self) -> int:  # type: ignore[override]
        """The lanes of the atlas."""
        return self._inner.lanes

    @property
    def atlas(self) -> str:
        return self.atlas_name

    @property
    def parameters(self) -> dict[str, Any]:
        """Returns what a pipeline file says of it."""
        areas = [list(area) for area in self.areas_given]
        named = {} if self.is_grid else {"name": self._inner.name, **self._inner.parameters}
        return {"rectangle": areas if self.is_grid else areas[0], "of": self.atlas_name, **named}

    def __str__(self) -> str:
        """The places, as in `channel_tiles at 8, 0 of atlas`."""
        if self.is_grid:
            return f"{len(self.areas_given)} rectangles of {self.atlas_name}"
        x, y, _, _ = self.areas_given[0]
        return f"{self._inner} at {x}, {y} of {self.atlas_name}"

    @property
    def _inner(self) -> Layout:
        assert self.inner is not None
        return self.inner

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        self._parts(shape)
        return self.size[1], self.size[0]

    def areas(self, shape: Sequence[int]) -> tuple[Area, ...]:
        return tuple(part.area for part in self._parts(shape))

    def _parts(self, shape: Sequence[int]) -> tuple[_Part, ...]:
        """Returns the rectangles with what they hold. Raises LayoutError where they do not fit the shape."""
        dims = as_nchw(shape)
        if not self.is_grid:
            parts: tuple[_Part, ...] = (_Part(self.areas_given[0], dims, 0, 0, 0, ""),)
        else:
            parts = tuple(self._channels(dims))
        for part in parts:
            height, width = self._inner.texture_shape(part.dims)
            if (width, height) != part.area[2:]:
                raise LayoutError(
                    f"layout '{self}'", f"rectangles of {width} x {height} texels for shape {tuple(shape)}",
                    f"{part.area[2]} x {part.area[3]}", "Correct the size, or the layout inside.",
                )  # fmt: skip
        return parts

    def _channels(self, dims: Dims) -> Iterator[_Part]:
        N, C, H, W = dims
        groups = ceil_div(C, self.lanes)
        if len(self.areas_given) != N * groups:
            held = "each channel" if self.lanes == 1 else f"each {self.lanes} channels"
            raise LayoutError(
                f"layout '{self}'", f"{N * groups} rectangles, one for {held}", str(len(self.areas_given)),
                "Add or remove some.",
            )  # fmt: skip
        for number, area in enumerate(self.areas_given):
            n, c = divmod(number, groups)
            c *= self.lanes
            last = min(c + self.lanes, C) - 1
            label = channel_label(dims, n, f"{c}-{last}" if last > c else str(c))
            yield _Part(area, (1, last - c + 1, H, W), n, c, (n * C + c) * H * W, label)

    # -- places --------------------------------------------------------------------------------------------

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        if not self.is_grid:
            tx, ty, lane = self._inner.texel_at(shape, n, c, h, w)
            return tx + self.areas_given[0][0], ty + self.areas_given[0][1], lane
        corners = np.asarray([area[:2] for area in self.areas_given])
        number = np.clip(n * self._groups(shape) + c // self.lanes, 0, len(corners) - 1)
        return w + corners[number, 0], h + corners[number, 1], c % self.lanes

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        found: list[Any] = [-1, 0, 0, 0]
        for part in self._parts(shape):
            x, y, width, height = part.area
            inside = (tx >= x) & (tx < x + width) & (ty >= y) & (ty < y + height)
            across, down = np.clip(tx - x, 0, width - 1), np.clip(ty - y, 0, height - 1)
            n, c, h, w = self._inner.element_at(part.dims, across, down, lane)
            own = np.where(n < 0, -1, n + part.n), c + part.c, h, w
            found = [np.where(inside, mine, other) for mine, other in zip(own, found, strict=True)]
        return found[0], found[1], found[2], found[3]

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        if not self.is_grid:
            x, y, _, _ = self.areas_given[0]
            return (
                f"{self._inner.glsl_texel_of(shape, f'{name}_inside')}"
                f"ivec3 {name}(ivec4 at) {{ return {name}_inside(at) + ivec3({x}, {y}, 0); }}\n"
            )
        number = f"at.x * {self._groups(shape)} + at.y / {self.lanes}"
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    ivec2 corners[{len(self.areas_given)}] = {self._glsl_corners()};\n"
            f"    return ivec3(corners[{number}] + at.wz, at.y % {self.lanes});\n"
            f"}}\n"
        )

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        _, C, H, W = as_nchw(shape)
        if not self.is_grid:
            x, y, width, height = self.areas_given[0]
            return (
                f"{self._inner.glsl_element_at(shape, f'{name}_inside')}"
                f"ivec4 {name}(ivec3 texel) {{\n"
                f"    ivec2 at = texel.xy - ivec2({x}, {y});\n"
                f"    if (at.x < 0 || at.y < 0 || at.x >= {width} || at.y >= {height}) return ivec4(-1);\n"
                f"    return {name}_inside(ivec3(at, texel.z));\n"
                f"}}\n"
            )
        groups, count = self._groups(shape), len(self.areas_given)
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    ivec2 corners[{count}] = {self._glsl_corners()};\n"
            f"    for (int i = 0; i < {count}; i++) {{\n"
            f"        ivec2 at = texel.xy - corners[i];\n"
            f"        int c = i % {groups} * {self.lanes} + texel.z;\n"
            f"        if (at.x >= 0 && at.y >= 0 && at.x < {W} && at.y < {H} && c < {C})\n"
            f"            return ivec4(i / {groups}, c, at.y, at.x);\n"
            f"    }}\n"
            f"    return ivec4(-1);\n"
            f"}}\n"
        )

    def _glsl_corners(self) -> str:
        corners = ", ".join(f"ivec2({x}, {y})" for x, y, _, _ in self.areas_given)
        return f"ivec2[{len(self.areas_given)}]({corners})"

    def _groups(self, shape: Sequence[int]) -> int:
        return ceil_div(as_nchw(shape)[1], self.lanes)

    # -- whole tensors -------------------------------------------------------------------------------------

    def address(self, shape: Sequence[int]) -> NDArray[np.int32]:
        height, width = self.texture_shape(shape)
        found = np.full((height, width, self.lanes), -1, dtype=np.int32)
        for part in self._parts(shape):
            own = self._inner.address(part.dims)
            _of(found, part.area)[...] = np.where(own < 0, -1, own + np.int32(part.first))
        return found

    def encode(self, array: ArrayLike, padding: float = 0.0) -> NDArray[np.float32]:
        values = np.asarray(array)
        flat = np.ascontiguousarray(values).reshape(-1)
        texels = np.full((*self.texture_shape(values.shape), self.lanes), padding, dtype=np.float32)
        for part in self._parts(values.shape):
            own = flat[part.first : part.first + math.prod(part.dims)].reshape(part.dims)
            _of(texels, part.area)[...] = self._inner.encode(own, padding)
        return texels

    def decode(self, texels: NDArray[Any], shape: Sequence[int]) -> NDArray[np.float32]:
        expected = (*self.texture_shape(shape), self.lanes)
        if texels.shape != expected:
            raise LayoutError(
                f"layout '{self}'", f"texels {list(expected)} (height, width, lanes)", str(list(texels.shape)),
                "Decode the whole atlas.",
            )  # fmt: skip
        found = np.empty(math.prod(as_nchw(shape)), dtype=np.float32)
        for part in self._parts(shape):
            own = self._inner.decode(np.ascontiguousarray(_of(texels, part.area)), part.dims)
            found[part.first : part.first + own.size] = own.reshape(-1)
        return found.reshape(tuple(shape))

    # -- tiles ---------------------------------------------------------------------------------------------

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        return self._inner.lane_axis(shape)

    @property
    def block(self) -> tuple[int, int]:
        return self._inner.block

    @property
    def channels_in_group(self) -> int:
        return self._inner.channels_in_group

    def tile_count(self, shape: Sequence[int]) -> int:
        return len(self._parts(shape)) if self.is_grid else self._inner.tile_count(shape)

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        if self.is_grid:
            part = self._parts(shape)[index]
            return Tile(index, *part.area, part.label)
        own, (x, y, _, _) = self._inner.tile(shape, index), self.areas_given[0]
        return Tile(index, own.tx + x, own.ty + y, own.width, own.height, own.label)

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        for number, (x, y, width, height) in enumerate(self.areas(shape)):
            if x <= tx < x + width and y <= ty < y + height:
                return number if self.is_grid else self._inner.tile_index(shape, tx - x, ty - y)
        return -1


def _of(texels: NDArray[Any], area: Area) -> NDArray[Any]:
    x, y, width, height = area
    return texels[y : y + height, x : x + width]


def alone(layout: Layout) -> Layout:
    """Returns the layout of a tensor in the same places of a texture that no other tensor shares."""
    return dataclasses.replace(layout, atlas_name="") if isinstance(layout, Rectangles) else layout
