"""In which order a layout of rows and columns takes the axes of a tensor: TensorFlow keeps channels last.

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

# By name: positions among n, c, h, w. Of a convolution's weights n are the filters and c their channels.
ORDERS = MappingProxyType({"nchw": (0, 1, 2, 3), "nhwc": (0, 2, 3, 1), "hwio": (2, 3, 1, 0)})
_LETTERS = "nchw"
Each = TypeVar("Each")


def stored(order: str, values: Sequence[Each]) -> tuple[Each, Each, Each, Each]:
    """n, c, h, w (sizes, coordinates or texts) as they are in memory, the outermost first."""
    a, b, c, d = ORDERS[order]
    return values[a], values[b], values[c], values[d]


def logical(order: str, values: Sequence[Each]) -> tuple[Each, Each, Each, Each]:
    """What lies in memory, the outermost first, as n, c, h, w."""
    n, c, h, w = (ORDERS[order].index(axis) for axis in range(4))
    return values[n], values[c], values[h], values[w]


def tile_label(order: str, dims: Dims, index: int) -> str:
    """Label of the tile with the two innermost axes of number `index`: `c5`, `n1 c5`, channels last `h5`."""
    outer = ORDERS[order][:2]
    places = divmod(index, dims[outer[1]])
    parts = [
        f"{_LETTERS[axis]}{place}"
        for axis, place in zip(outer, places, strict=True)
        if axis == outer[1] or dims[axis] > 1
    ]
    return " ".join(parts)


def count(dims: Dims) -> int:
    """Number of elements."""
    return math.prod(dims)


def row_tile(index: int, width: int, texel_count: int) -> Tile:
    """Tile number `index` where each texture row is one: it holds a run of texels, named by the first and last."""
    first = index * width
    last = min(first + width, texel_count) - 1
    return Tile(index, 0, index, last - first + 1, 1, f"{first}-{last}" if last > first else str(first))


def check_parameters(name: str, width: object, order: object) -> None:
    """Raises LayoutError for a width or an order, which may come from a file, that is none."""
    if isinstance(width, bool) or not isinstance(width, int) or width < 0:
        raise LayoutError(
            f"layout '{name}'", "a width that is a whole number of texels, 0 or more", repr(width),
            "0 takes that of the tensor's rows.",
        )  # fmt: skip
    if not isinstance(order, str) or order not in ORDERS:
        raise LayoutError(f"layout '{name}'", "an order of axes", repr(order), nearest(str(order), ORDERS))
