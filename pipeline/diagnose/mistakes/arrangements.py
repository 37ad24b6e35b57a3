"""Other layouts that texels may be taken for a tensor by: every one, and those with rows of other widths."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import layouts
from layouts.base import Layout
from layouts.shapes import Dims
from pipeline.plan import StoredTensor

# Textures as wide as this are looked at, in texels.
_WIDEST = 4096
# Elements by which two layouts are told apart.
_SAMPLE = 500


def arrangements(stored: StoredTensor, dims: Dims) -> Iterator[Layout]:
    """All that have as many lanes as the texture, or one; those of whole layouts first."""
    height, width = stored.texture_shape
    own = stored.layout
    every = [kind() for kind in layouts.all_layouts().values() if kind.lanes <= own.lanes]
    every.sort(key=lambda layout: _is_foreign(layout, own), reverse=True)
    # Of those that put this tensor alike the last is tried; the tensor's own lies elsewhere in other widths.
    later = {layout: every[place + 1 :] for place, layout in enumerate(every)}
    apart = [layout for layout in every if not lie_alike(layout, own, dims)]
    found = [layout for layout in apart if not any(lie_alike(layout, other, dims) for other in later[layout])]
    yield from (layout for layout in found if not _is_foreign(layout, own))
    found += [layout for layout in every if layout.name == own.name and layout not in found]
    for across in dict.fromkeys((width, height, *range(1, min(2 * width + 2, 64)))):
        for wide in (layout.with_width(across) for layout in found if across <= _WIDEST):
            if wide is not None and wide != own:
                yield wide
    yield from (layout for layout in found if _is_foreign(layout, own))


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
