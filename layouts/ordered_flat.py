"""Defines the base of flat layouts with any order of axes: elements by their place in it, texels row by row."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from texelscope.layouts.axis_order import Places, parsed, places_of
from texelscope.layouts.base import Coordinate, Tile, ViewPair
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.flat import Flat, Indices
from texelscope.layouts.grid import ceil_div, ceil_sqrt
from texelscope.layouts.shapes import as_nchw
from texelscope.layouts.storage_order import row_tile


@dataclass(frozen=True)
class OrderedFlat(Flat):
    """Puts the element of place p into lane p mod lanes of texel t = p div lanes, at (t mod width, t div width)."""

    order: str = "n, c, y, x"
    width: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        parsed(self.order, self._who)

    @property
    def _who(self) -> str:
        return f"layout '{self.name}'"

    def places(self, shape: Sequence[int]) -> Places:
        """Returns where the order puts the elements. Raises LayoutError if it puts several into one place."""
        return places_of(self.order, as_nchw(shape), self._who)

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        texel_count = ceil_div(self.places(shape).count, self.lanes)
        width = self.width or ceil_sqrt(texel_count)
        return ceil_div(texel_count, width), width

    def _index(self, shape: Sequence[int], at: Indices) -> Coordinate:
        return self.places(shape).place(at)

    def _glsl_index(self, shape: Sequence[int]) -> str:
        return self.places(shape).glsl_place(("at.x", "at.y", "at.z", "at.w"))

    def _element(self, shape: Sequence[int], index: Coordinate) -> Indices:
        return self.places(shape).element(index)

    def _glsl_element(self, shape: Sequence[int]) -> str:
        indices, padding = self.places(shape).glsl_element("index")
        return f"    ivec4 at = ivec4({', '.join(indices)});\n    if ({padding}) return ivec4(-1);\n    return at;\n"

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair] | None:
        places = self.places(elements.shape)
        return places.views(texels.reshape(-1)[: places.count], elements) if places.has_views else None

    def with_width(self, width: int) -> Self:
        return dataclasses.replace(self, width=width)

    def lane_axis(self, shape: Sequence[int]) -> int | None:
        places = self.places(shape)
        last = places.terms[-1]
        is_digit = len(places.terms) - 1 in places.digits[last.axis]
        return last.axis if self.lanes > 1 and is_digit and last.divisor == 1 and places.sizes[-1] % 4 == 0 else None

    @property
    def block(self) -> tuple[int, int]:
        try:
            return super().block
        except LayoutError:  # an order for other shapes than the square that is asked
            return (1, 1)

    def tile_count(self, shape: Sequence[int]) -> int:
        """Counts the tiles: one per texture row, since a row holds a run of places and a channel is no rectangle."""
        return self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        _, width = self.texture_shape(shape)
        return row_tile(index, width, self._texels(shape))

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        _, width = self.texture_shape(shape)
        return ty if ty * width + tx < self._texels(shape) else -1

    def _texels(self, shape: Sequence[int]) -> int:
        return ceil_div(self.places(shape).count, self.lanes)
