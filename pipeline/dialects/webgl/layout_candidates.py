"""Lists the layouts in which a tensor fills a texture of a known size."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout, LayoutError, all_layouts, layout
from texelscope.layouts.shapes import as_nchw
from texelscope.layouts.storage_order import ORDERS
from texelscope.pipeline.graph import Shape

# Those of images and of rows of numbers, before those of one engine or of weights.
_PLAIN = ("channel_tiles", "channel_tiles_rgba", "row_major_rgba", "linear", "tfjs_unpacked", "tfjs_packed")


@lru_cache(maxsize=4096)
def layouts_filling(shape: Shape, height: int, width: int, lanes: int) -> tuple[Layout, ...]:
    """Returns each layout that puts a tensor of that shape into exactly that texture, the plainest first."""
    kinds, found = all_layouts(), []
    for name in (*_PLAIN, *(each for each in kinds if each not in _PLAIN)):
        kind = kinds[name]
        if kind.lanes != lanes:
            continue
        known: set[Layout] = set()
        for candidate in _variants(kind(), shape, width):
            if candidate in known:
                continue
            known.add(candidate)
            try:
                fits = candidate.texture_shape(shape) == (height, width)
            except LayoutError:
                continue
            if fits:
                found.append(candidate)
    return tuple(found)


def _variants(default: Layout, shape: Shape, width: int) -> Iterator[Layout]:
    """Yields a layout with its defaults, and as wide as the texture, in each order of axes that it may have."""
    names = {each.name for each in dataclasses.fields(default)}
    columns = width // as_nchw(shape)[3]
    # `ordered` has orders of another kind, by its axes: it is left at its default.
    for order in ORDERS if getattr(default, "order", "") in ORDERS else ("",):
        given: dict[str, Any] = {"order": order} if order else {}
        yield layout(default.name, **given)
        if "width" in names:
            yield layout(default.name, **given, width=width)
        if "columns" in names and columns:
            yield layout(default.name, **given, columns=columns)


def holds_all(texels: NDArray[np.float32], layout: Layout, shape: Shape) -> bool:
    """Reports whether a tensor in that layout holds all numbers of a texture but zeros: its padding may be read too."""
    again = layout.encode(layout.decode(texels, shape))
    return bool(np.array_equal(again, texels, equal_nan=True))
