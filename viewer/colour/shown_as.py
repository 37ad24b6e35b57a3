"""Shows a tensor in another layout than the one it is stored in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.viewer.colour.picture import NAME, TrueColour, has_picture, layout_of

Texel = tuple[int, int]


def layouts_for(stored: StoredTensor, most_texels: int) -> tuple[str, ...]:
    """Returns names of the layouts whose texture of the tensor has no side above `most_texels`."""
    return _layouts_for(stored.shape, most_texels)


@lru_cache(maxsize=256)  # called in every frame
def _layouts_for(shape: Shape, most_texels: int) -> tuple[str, ...]:
    return tuple(layouts.fitting(shape, most_texels))


def shown_as(stored: StoredTensor, layout: str | None, most_texels: int) -> StoredTensor:
    """Returns the tensor in the layout of that name; as stored if there is no name, or the texture is too large."""
    if layout is None or layout == stored.layout.name or layout not in layouts_for(stored, most_texels):
        return stored
    return dataclasses.replace(stored, layout=layouts.layout(layout))


def as_picture(stored: StoredTensor, seen: TrueColour, most_texels: int) -> StoredTensor:
    """Returns the tensor as a picture; as it is stored if the picture is too large for a texture."""
    layout = layout_of(stored.shape, seen)
    return (
        stored if max(layout.texture_shape(stored.shape)) > most_texels else dataclasses.replace(stored, layout=layout)
    )


def is_picture(plan: Plan, stored: StoredTensor) -> bool:
    """Returns whether a tensor is shown as a picture by default: an input or output that looks like one."""
    if not has_picture(stored.shape):
        return False
    if stored.key in plan.inputs or (plan.graph is not None and stored.tensor in plan.graph.outputs):
        return True
    last = plan.passes[-1].outputs if plan.passes else ()
    return plan.graph is None and stored.key in last


def texel_in(stored: StoredTensor, texel: Texel, other: StoredTensor) -> Texel | None:
    """Returns where the first element of a texel of `stored` lies in `other`, the same tensor; None for padding."""
    height, width = stored.texture_shape
    if not (0 <= texel[0] < width and 0 <= texel[1] < height):
        return None
    index = stored.layout.index_of(stored.shape, *texel, 0)
    return other.layout.texel_of(other.shape, index)[:2] if index >= 0 else None


def texels_in(stored: StoredTensor, texels: Iterable[Texel], other: StoredTensor) -> frozenset[Texel]:
    """Returns the texels of `other`, the same tensor, that hold an element of one of `texels` of `stored`."""
    places = np.array(list(texels), dtype=np.int64).reshape(-1, 2)
    if stored.layout == other.layout or not len(places):
        return frozenset((int(tx), int(ty)) for tx, ty in places)
    held = stored.layout.indices_at(
        stored.shape, places[:, :1], places[:, 1:], np.arange(stored.layout.lanes, dtype=np.int64)
    )
    return frozenset(texels_of(other, np.unique(held[held >= 0])))


def texels_of(stored: StoredTensor, elements: NDArray[np.int64]) -> list[Texel]:
    """Returns the texel of each element, given by its linear index."""
    dims = as_nchw(stored.shape)
    if stored.layout.name == NAME:  # another picture of the batch is not visible here
        elements = elements[np.unravel_index(elements, dims)[0] == getattr(stored.layout, "n", 0)]
    tx, ty, _ = stored.layout.texel_at(dims, *np.unravel_index(elements, dims))
    return list(
        zip(np.broadcast_to(tx, elements.shape).tolist(), np.broadcast_to(ty, elements.shape).tolist(), strict=True)
    )
