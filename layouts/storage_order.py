"""Defines the order in which rows and columns take the axes of a tensor: TensorFlow keeps channels last.

An order is the axes n, c, h, w of the 4-d view from the outermost to the innermost in memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import TypeVar

from texelscope.layouts.base import Tile
from texelscope.layouts.errors import LayoutError, nearest
from texelscope.layouts.shapes import Dims

# By name: positions among n, c, h, w. For weights of a convolution, n are the filters and c their channels.
ORDERS = MappingProxyType({"nchw": (0, 1, 2, 3), "nhwc": (0, 2, 3, 1), "hwio": (2, 3, 1, 0)})
_LETTERS = "nchw"
Each = TypeVar("Each")


def stored(order: str, values: Sequence[Each]) -> tuple[Each, Each, Each, Each]:
    """Returns n, c, h, w (sizes, coordinates or texts) in memory order, the outermost first."""
    a, b, c, d = ORDERS[order]
    return values[a], values[b], values[c], values[d]


def logical(order: str, values: Sequence[Each]) -> tuple[Each, Each, Each, Each]:
    """Returns values in memory order, the outermost first, as n, c, h, w."""
    n, c, h, w = (ORDERS[order].index(axis) for axis in range(4))
    return values[n], values[c], values[h], values[w]


def tile_label(order: str, dims: Dims, index: int) -> str:
    """Returns the label of tile `index` of the two innermost axes: `c5`, `n1 c5`, channels last `h5`."""
    outer = ORDERS[order][:2]
    places = divmod(index, dims[outer[1]])
    parts = [
        f"{_LETTERS[axis]}{place}"
        for axis, place in zip(outer, places, strict=True)
        if axis == outer[1] or dims[axis] > 1
    ]
    return " ".join(parts)


def count(dims: Dims) -> int:
    """Returns the number of elements."""
    return math.prod(dims)


def row_tile(index: int, width: int, texel_count: int) -> Tile:
    """Returns tile `index` where each texture row is a tile: a run of texels, labelled by its first and last."""
    first = index * width
    last = min(first + width, texel_count) - 1
    return Tile(index, 0, index, last - first + 1, 1, f"{first}-{last}" if last > first else str(first))


def check_order(name: str, order: str) -> None:
    """Raises LayoutError for an unknown order, which may come from a file."""
    if order not in ORDERS:
        raise LayoutError(f"layout '{name}'", "an order of axes", repr(order), nearest(order, ORDERS))
