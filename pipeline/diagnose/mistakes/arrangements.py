"""Other ways in which texels may be taken for a tensor: every layout, and grids and rows of other widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import layouts
from layouts.base import Layout
from layouts.shapes import Dims
from pipeline.plan import StoredTensor

Array = NDArray[Any]
TexelAt = Callable[[Dims, Array, Array, Array, Array], tuple[Array, Array, Array]]
ElementAt = Callable[[Dims, Array, Array, Array], tuple[Array, Array, Array, Array]]


@dataclass(frozen=True)
class Arrangement:
    """A name, parameters, where it has each element (n, c, h, w to tx, ty, lane), and which it has in each texel."""

    name: str
    texel_at: TexelAt
    element_at: ElementAt
    parameters: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        extra = ", ".join(f"{name} {value}" for name, value in self.parameters.items())
        return f"{self.name}{f' with {extra}' if extra else ''}"


def arrangements(stored: StoredTensor, dims: Dims) -> Iterator[Arrangement]:
    """All that have as many lanes as the texture, or one; those of whole layouts first."""
    height, width = stored.texture_shape
    own = stored.layout
    for layout in (kind() for kind in layouts.all_layouts().values()):
        if layout != own and layout.lanes <= own.lanes:
            yield _of(layout, {})
    if own.lanes == 4:
        for across in dict.fromkeys((width, height, *range(1, min(2 * width + 2, 64)))):
            layout = layouts.layout("row_major_rgba", width=across)
            if layout != own and across <= 4096:
                yield _of(layout, {"width": across})
    groups = dims[1] if own.lanes == 1 else -(-dims[1] // 4)
    tiles = dims[0] * groups
    for columns in dict.fromkeys((*range(1, min(tiles, 24) + 1), tiles)):
        name = "channel_tiles" if own.lanes == 1 else "channel_tiles_rgba"
        yield Arrangement(name, *_grid(columns, 1, own.lanes), {"columns": columns})
    rows = -(-tiles // max(int(np.ceil(np.sqrt(tiles))), 1))
    yield Arrangement("tiles column by column", *_grid(1, rows, own.lanes))
    yield Arrangement("n, h, w, c", *_linear((0, 2, 3, 1), width, own.lanes))
    yield Arrangement("n, c, h, w row by row", *_linear((0, 1, 2, 3), width, own.lanes))


def _of(layout: Layout, parameters: dict[str, int]) -> Arrangement:
    return Arrangement(layout.name, layout.texel_at, layout.element_at, parameters)


def _grid(columns: int, rows: int, lanes: int) -> tuple[TexelAt, ElementAt]:
    """Tiles in a grid of `columns`; with one column and several `rows`, column by column of that height."""
    down = columns == 1 and rows > 1

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        _, C, H, W = dims
        tile = n * (C if lanes == 1 else -(-C // 4)) + (c if lanes == 1 else c // 4)
        column, row = (tile // rows, tile % rows) if down else (tile % columns, tile // columns)
        return column * W + w, row * H + h, (c % 4 if lanes > 1 else 0 * c)

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        _, C, H, W = dims
        groups = C if lanes == 1 else -(-C // 4)
        tile = tx // W * rows + ty // H if down else ty // H * columns + tx // W
        n, group = tile // groups, tile % groups
        return n, (group if lanes == 1 else group * 4 + lane), ty % H, tx % W

    return texel_at, element_at


def _linear(order: tuple[int, int, int, int], width: int, lanes: int) -> tuple[TexelAt, ElementAt]:
    """Elements one after the other, axes of the 4-d view in `order`, slowest first."""

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        at, index = (n, c, h, w), 0 * n
        for axis in order:
            index = index * dims[axis] + at[axis]
        texel = index // lanes
        return texel % width, texel // width, index % lanes

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        index = (ty * width + tx) * lanes + lane
        found: dict[int, Array] = {}
        for axis in reversed(order[1:]):
            found[axis] = index % dims[axis]
            index = index // dims[axis]
        found[order[0]] = index
        return found[0], found[1], found[2], found[3]

    return texel_at, element_at
