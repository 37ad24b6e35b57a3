"""Other ways in which texels may be taken for a tensor: every layout, and grids and rows of other widths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.layouts.shapes import Dims
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[Any]
TexelAt = Callable[[Dims, Array, Array, Array, Array], tuple[Array, Array, Array]]
ElementAt = Callable[[Dims, Array, Array, Array], tuple[Array, Array, Array, Array]]
# The number of a tile to its column and row in a grid, and back.
PlaceOf = Callable[[Array], tuple[Array, Array]]
NumberAt = Callable[[Array, Array], Array]

# Textures as wide as this are looked at, in texels, and grids of so many columns.
_WIDEST = 4096
_MOST_COLUMNS = 24
# Elements by which two layouts are told apart.
_SAMPLE = 500


@dataclass(frozen=True)
class Arrangement:
    """Where it has each element (n, c, h, w to tx, ty, lane), and which one it has in each texel.

    `says` is its text in findings. `layout` is what a texture can be bound as to be arranged so; None if there is none.
    """

    name: str
    says: str
    texel_at: TexelAt
    element_at: ElementAt
    parameters: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    layout: Layout | None = None

    def __str__(self) -> str:
        return self.says


def arrangements(stored: StoredTensor, dims: Dims) -> Iterator[Arrangement]:
    """All that have as many lanes as the texture, or one; those of whole layouts first."""
    height, width = stored.texture_shape
    own = stored.layout
    every = [kind() for kind in layouts.all_layouts().values() if kind.lanes <= own.lanes]
    every.sort(key=lambda layout: _is_foreign(layout, own), reverse=True)
    # Of those that put this tensor alike the last is tried; the tensor's own lies elsewhere in other widths.
    later = {layout: every[place + 1 :] for place, layout in enumerate(every)}
    apart = [layout for layout in every if not lie_alike(layout, own, dims)]
    found = [layout for layout in apart if not any(lie_alike(layout, other, dims) for other in later[layout])]
    yield from (_of(layout) for layout in found if not _is_foreign(layout, own))
    found += [layout for layout in every if layout.name == own.name and layout not in found]
    for across in dict.fromkeys((width, height, *range(1, min(2 * width + 2, 64)))):
        for wide in (layout.with_width(across) for layout in found if across <= _WIDEST):
            if wide is not None and wide != own:
                yield _of(wide)
    for layout in found:
        if layout.lanes == own.lanes:
            yield from _other_grids(layout, dims)
    yield from (_of(layout) for layout in found if _is_foreign(layout, own))
    yield from _other_steps(own, dims, width)


def _is_foreign(layout: Layout, own: Layout) -> bool:
    """Whether it is of memory in which channels are a step apart, and the tensor's own is not: the least likely."""
    return layout.with_step(1) is not None and own.with_step(1) is None


def lie_alike(one: Layout, other: Layout, dims: Dims) -> bool:
    """Whether two layouts put a tensor's elements into the same places, as far as a sample of them tells."""
    if one.lanes != other.lanes or one.texture_shape(dims) != other.texture_shape(dims):
        return False
    sample = np.unique(np.linspace(0, math.prod(dims) - 1, _SAMPLE).astype(np.int64))
    at = np.unravel_index(sample, dims)
    return all(np.all(a == b) for a, b in zip(one.texel_at(dims, *at), other.texel_at(dims, *at), strict=True))


def _of(layout: Layout) -> Arrangement:
    return Arrangement(
        layout.name, str(layout), layout.texel_at, layout.element_at, MappingProxyType(layout.parameters), layout
    )


def _without_layout(says: str, texel_at: TexelAt, element_at: ElementAt) -> Arrangement:
    return Arrangement(says, says, texel_at, element_at)


def _other_grids(layout: Layout, dims: Dims) -> Iterator[Arrangement]:
    """The layout's tiles in a grid of other columns, or column by column; nothing where they make no single grid."""
    levels = layout.grid(dims)
    if len(levels) != 1:
        return
    count, rows = levels[0].count, levels[0].rows
    for columns in dict.fromkeys((*range(1, min(count, _MOST_COLUMNS) + 1), count)):
        says = f"{layout.name} in {columns} column{'s' * (columns != 1)}"
        parameters = MappingProxyType({"columns": columns})
        yield Arrangement(layout.name, says, *_dealt(layout, *_row_by_row(columns)), parameters)
    if rows > 1:
        place_of, number_at = _row_by_row(rows)
        yield _without_layout(
            "tiles column by column",
            *_dealt(layout, lambda k: place_of(k)[::-1], lambda column, row: number_at(row, column)),
        )


def _other_steps(layout: Layout, dims: Dims, width: int) -> Iterator[Arrangement]:
    """The layout's memory with groups of channels other steps apart: what shaders forget to round, or round alike."""
    _, _, H, W = dims
    rounded = (-(-H * W // align) * align for align in (1, 4, 8))
    for step in dict.fromkeys((*rounded, H * W + 1)):
        other = layout.with_step(step)
        if other is not None and other.texel_at(dims, *_last(dims)) != layout.texel_at(dims, *_last(dims)):
            says = f"{layout.name} with channels {step} apart"
            yield Arrangement(layout.name, says, *_folded(other, width), MappingProxyType({"step": step}))


def _last(dims: Dims) -> tuple[int, int, int, int]:
    """n, c, h and w of the last element."""
    N, C, H, W = dims
    return N - 1, C - 1, H - 1, W - 1


def _folded(layout: Layout, width: int) -> tuple[TexelAt, ElementAt]:
    """The layout's texels in their order, in rows of another width."""

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        tx, ty, lane = layout.texel_at(dims, n, c, h, w)
        texel = ty * layout.texture_shape(dims)[1] + tx
        return texel % width, texel // width, lane

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        texel, own_width = ty * width + tx, layout.texture_shape(dims)[1]
        return layout.element_at(dims, texel % own_width, texel // own_width, lane)

    return texel_at, element_at


def _row_by_row(columns: int) -> tuple[PlaceOf, NumberAt]:
    """Number to column and row, and back."""
    return lambda k: (k % columns, k // columns), lambda column, row: row * columns + column


def _dealt(layout: Layout, place_of: PlaceOf, number_at: NumberAt) -> tuple[TexelAt, ElementAt]:
    """As the layout has it, but for the place of each tile in the grid."""

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        (grid,) = layout.grid(dims)
        tx, ty, lane = layout.texel_at(dims, n, c, h, w)
        k = grid.number(n, c)
        column, row = place_of(k)
        across, down = column - k % grid.columns, row - k // grid.columns
        return tx + across * grid.width, ty + down * grid.height, lane

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        (grid,) = layout.grid(dims)
        k = number_at(tx // grid.width, ty // grid.height)
        own_tx, own_ty = k % grid.columns * grid.width, k // grid.columns * grid.height
        return layout.element_at(dims, own_tx + tx % grid.width, own_ty + ty % grid.height, lane)

    return texel_at, element_at
