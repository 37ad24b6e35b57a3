"""A layout is a bijection between the elements of a tensor and lanes of texels.

`Layout.address` is its definition. A layout gives the two directions as integer formulas, once for numpy
(`texel_at`, `element_at`) and once, beside them, for GLSL; everything else here follows from those. Formulas
take plain ints and broadcast arrays alike.

Coordinates: tensor space is n, c, h, w of the 4-d view (`layouts.shapes`), texture space is tx, ty, lane,
with ty = 0 the first row in memory, shown at the top.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.errors import LayoutError
from texelscope.layouts.grid import TileGrid
from texelscope.layouts.shapes import Dims, as_nchw

# An int, or an integer array that broadcasts against the other coordinates.
Coordinate = Any
ViewPair = tuple[NDArray[Any], NDArray[Any]]
# A rectangle of texels: x, y, width, height.
Area = tuple[int, int, int, int]

INT32_MAX = int(np.iinfo(np.int32).max)


@dataclass(frozen=True)
class Tile:
    """The rectangle of texels that shows one channel, one packed group or one kernel."""

    index: int
    tx: int
    ty: int
    width: int
    height: int
    label: str


@dataclass(frozen=True)
class Layout(ABC):
    """Base of all layouts. A subclass is a frozen dataclass whose fields, all with defaults, are parameters.

    Every method takes the logical shape of the tensor, of any rank, and raises `LayoutError` for one that
    has a dimension below 1. `texture_shape` needs no array, so it is free to ask before memory is taken.
    """

    name: ClassVar[str]
    lanes: ClassVar[int]

    def __post_init__(self) -> None:
        """Checks the parameters, which may come from a file, by their defaults: numbers stay 0 or more, or 1 or more.

        Raises `LayoutError`. A layout whose parameters have other values overrides it.
        """
        for each in fields(self):
            value, default = getattr(self, each.name), each.default
            if isinstance(default, bool) or not isinstance(default, int | str):
                continue
            if isinstance(default, str):
                expected, is_valid = "text", isinstance(value, str)
            else:
                least = min(default, 1)
                expected = f"a whole number, {least} or more"
                is_valid = isinstance(value, int) and not isinstance(value, bool) and value >= least
            if not is_valid:
                raise LayoutError(
                    f"layout '{self.name}'", f"{each.name} to be {expected}", repr(value),
                    f"Its default is {default!r}.",
                )  # fmt: skip

    @abstractmethod
    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        """Returns (height, width) of the texture in texels."""

    @abstractmethod
    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        """Returns (tx, ty, lane) of elements that lie inside the tensor."""

    @abstractmethod
    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        """Returns (n, c, h, w) of lanes inside the texture; n = -1 in padding, where c, h, w mean nothing."""

    @abstractmethod
    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        """Returns `texel_at` as GLSL: the text of `ivec3 NAME(ivec4 at)`, (n, c, h, w) to (tx, ty, lane).

        Integer arithmetic with the shape as literals, valid in GLSL 330 and ES 300; in ES the shader says
        `precision highp int;` first, since a medium int may have 16 bits.
        """

    @abstractmethod
    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        """Returns `element_at` as GLSL: the text of `ivec4 NAME(ivec3 texel)`; .x = -1 in padding."""

    def views(
        self,
        texels: NDArray[Any],
        elements: NDArray[Any],
    ) -> Iterable[ViewPair] | None:
        """Returns the closed form of the layout: pairs (view of `texels`, view of `elements`) that correspond 1:1.

        `texels` is contiguous [height, width, lanes], `elements` contiguous [n, c, h, w]; together the pairs
        cover every element once. None, the default, makes `encode` and `decode` go through `address`,
        which costs an index of the tensor's size.
        """
        return None

    @property
    def parameters(self) -> dict[str, Any]:
        """Returns the parameters that differ from their defaults, by name."""
        default = type(self)()
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(default, name)}

    def __str__(self) -> str:
        """The name, with parameters as in `row_major_rgba with width 5`."""
        extra = ", ".join(f"{name} {value}" for name, value in self.parameters.items())
        return f"{self.name} with {extra}" if extra else self.name

    @property
    def block(self) -> tuple[int, int]:
        """The (rows, columns) of neighbours in (h, w) that the lanes of one texel hold; (1, 1) for a single element."""
        square = (self.lanes, self.lanes)
        tx, ty, _ = self.texel_of(square, 0)
        held = self.indices_at(square, tx, ty, np.arange(self.lanes))
        h, w = np.divmod(held[held >= 0], self.lanes)
        return int(np.ptp(h)) + 1, int(np.ptp(w)) + 1

    @property
    def channels_in_group(self) -> int:
        """The channels in one group, of which the last of each n may have padding; 1, the default, where none has."""
        return 1

    @property
    def near_square(self) -> bool:
        """Reports whether textures are near squares for every shape, and so fit where others are too wide or high."""
        return False

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        """Returns the axis of n, c, h, w along which the lanes of every texel hold neighbours, the first in lane 0.

        None, the default, where a texel has one lane or holds anything else. Lanes of the last texel may be padding.
        """
        as_nchw(shape)
        return None

    @property
    def for_filters(self) -> Layout:
        """The layout for weights of a convolution whose activations use this layout; by default this layout itself."""
        return self

    def with_width(self, width: int) -> Layout | None:
        """Returns the layout with textures `width` texels wide; None, the default, if the shape decides the width."""
        return None

    def with_columns(self, columns: int) -> Layout | None:
        """Returns the layout with its tiles in a grid of that many columns; None, the default, without such a grid."""
        return None

    def with_step(self, step: int) -> Layout | None:
        """Returns the layout with `step` packed elements between channel groups; None, the default, without groups."""
        return None

    @property
    def atlas(self) -> str:
        """The name of the texture that the tensor shares with others; empty, the default, where it has one alone."""
        return ""

    def areas(self, shape: Sequence[int]) -> tuple[Area, ...]:
        """Returns the rectangles of the texture that belong to the tensor; by default the whole texture."""
        height, width = self.texture_shape(shape)
        return ((0, 0, width, height),)

    def bounds(self, shape: Sequence[int]) -> Area:
        """Returns the smallest rectangle around all areas: where a pass draws the tensor."""
        areas = self.areas(shape)
        x, y = min(area[0] for area in areas), min(area[1] for area in areas)
        right, bottom = max(area[0] + area[2] for area in areas), max(area[1] + area[3] for area in areas)
        return x, y, right - x, bottom - y

    def grid(self, shape: Sequence[int]) -> tuple[TileGrid, ...]:
        """Returns the nested grids of tiles, outermost first; a tile's place is the sum of its places in each.

        Empty, the default, where tiles form no grid: they lie one below the other, or a channel is no rectangle.
        """
        as_nchw(shape)
        return ()

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles; by default the whole texture is one."""
        as_nchw(shape)
        return 1

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        """Returns tile number `index`, from 0 to `tile_count` - 1."""
        height, width = self.texture_shape(shape)
        return Tile(index, 0, 0, width, height, "")

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        """Returns the number of the tile that contains texel (tx, ty), -1 where none does."""
        self._check_inside(shape, tx, ty, 0)
        return 0

    def tiles(self, shape: Sequence[int]) -> tuple[Tile, ...]:
        """Yields all tiles, in order. A weight may have millions: check `tile_count` first."""
        return tuple(self.tile(shape, index) for index in range(self.tile_count(shape)))

    def has_padding(self, shape: Sequence[int]) -> bool:
        """Returns whether a lane of the texture holds no element; takes no time, unlike `address`."""
        height, width = self.texture_shape(shape)
        return height * width * self.lanes > math.prod(shape)

    def address(self, shape: Sequence[int]) -> NDArray[np.int32]:
        """Returns int32[height, width, lanes]: the linear element index (C order) in each lane, -1 for padding."""
        dims = as_nchw(shape)
        height, width = self.texture_shape(dims)
        if height * width * self.lanes > INT32_MAX:
            raise LayoutError(
                f"layout '{self.name}'",
                f"at most {INT32_MAX} lanes in a texture",
                f"{height} x {width} texels of {self.lanes} for shape {tuple(shape)}",
                "Split the tensor.",
            )
        tx = np.arange(width, dtype=np.int32)[None, :, None]
        ty = np.arange(height, dtype=np.int32)[:, None, None]
        lane = np.arange(self.lanes, dtype=np.int32)[None, None, :]
        index = _linear(dims, *self.element_at(dims, tx, ty, lane))
        return np.array(np.broadcast_to(index, (height, width, self.lanes)), dtype=np.int32)

    def index_of(self, shape: Sequence[int], tx: int, ty: int, lane: int) -> int:
        """Returns the linear element index in one lane, -1 for padding; raises `LayoutError` outside the texture."""
        self._check_inside(shape, tx, ty, lane)
        dims = as_nchw(shape)
        return int(_linear(dims, *self.element_at(dims, int(tx), int(ty), int(lane))))

    def indices_at(self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate) -> NDArray[np.int64]:
        """Returns `index_of` for arrays that broadcast, all of them inside the texture."""
        dims = as_nchw(shape)
        index = _linear(dims, *self.element_at(dims, tx, ty, lane))
        return np.array(np.broadcast_to(index, np.broadcast_shapes(*map(np.shape, (tx, ty, lane)))), dtype=np.int64)

    def texel_of(self, shape: Sequence[int], index: int) -> tuple[int, int, int]:
        """Returns (tx, ty, lane) of the element with linear index `index`; raises `LayoutError` outside the tensor."""
        dims = as_nchw(shape)
        count = math.prod(dims)
        if not 0 <= index < count:
            raise LayoutError(
                f"layout '{self.name}'",
                f"an element index from 0 to {count - 1}",
                str(index),
                f"The shape is {tuple(shape)}.",
            )
        _, C, H, W = dims
        rest, w = divmod(int(index), W)
        rest, h = divmod(rest, H)
        n, c = divmod(rest, C)
        tx, ty, lane = self.texel_at(dims, n, c, h, w)
        return int(tx), int(ty), int(lane)

    def encode(self, array: ArrayLike, padding: float = 0.0) -> NDArray[np.float32]:
        """Returns float32[height, width, lanes]: the tensor as its texture holds it, `padding` in unused lanes.

        Values beyond float32 become infinite, as they would on the GPU.
        """
        values = np.asarray(array)
        dims = as_nchw(values.shape)
        if values.dtype.kind not in "biuf":
            raise LayoutError(
                f"layout '{self.name}'",
                "an array of real numbers",
                f"dtype {values.dtype}",
                "Convert it first.",
            )
        elements = np.ascontiguousarray(values).reshape(dims)
        full_shape = (*self.texture_shape(dims), self.lanes)
        texels = np.full(full_shape, padding, dtype=np.float32)
        with np.errstate(over="ignore"):
            pairs = self.views(texels, elements)
            if pairs is None:
                address = self.address(dims)
                stored = address >= 0
                texels[stored] = elements.reshape(-1)[address[stored]]
                return texels
            for lanes, source in pairs:
                lanes[...] = source
        return texels

    def decode(self, texels: NDArray[Any], shape: Sequence[int]) -> NDArray[np.float32]:
        """Returns the float32 array of the logical shape, from texels [height, width, lanes]; padding is not read."""
        dims = as_nchw(shape)
        expected = (*self.texture_shape(dims), self.lanes)
        if texels.shape != expected:
            raise LayoutError(
                f"layout '{self.name}'",
                f"texels {list(expected)} (height, width, lanes) for shape {tuple(shape)}",
                str(list(texels.shape)),
                "Decode with the layout and shape that the texture was made with.",
            )
        stored_texels = np.ascontiguousarray(texels)
        elements = np.empty(dims, dtype=np.float32)
        pairs = self.views(stored_texels, elements)
        if pairs is None:
            address = self.address(dims)
            stored = address >= 0
            elements.reshape(-1)[address[stored]] = stored_texels[stored]
        else:
            for source, target in pairs:
                target[...] = source
        return elements.reshape(tuple(shape))

    def _check_inside(self, shape: Sequence[int], tx: int, ty: int, lane: int) -> None:
        height, width = self.texture_shape(shape)
        if not (0 <= tx < width and 0 <= ty < height and 0 <= lane < self.lanes):
            raise LayoutError(
                f"layout '{self.name}'",
                f"a lane of a texture of {width} x {height} texels with {self.lanes}",
                f"texel ({tx}, {ty}) lane {lane}",
                "Clamp the coordinates to the texture.",
            )


def channel_label(dims: Dims, n: int, channels: str) -> str:
    """Returns the label of a tile: `c5`, or `n1 c5` in a batch."""
    return f"n{n} c{channels}" if dims[0] > 1 else f"c{channels}"


def _linear(dims: Dims, n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate) -> Coordinate:
    _, C, H, W = dims
    return np.where(n < 0, -1, ((n * C + c) * H + h) * W + w)
