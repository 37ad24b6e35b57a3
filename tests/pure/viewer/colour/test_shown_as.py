"""Tests which layouts a tensor can be shown in, and where its texels are then."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope import layouts
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.colour.shown_as import layouts_for, shown_as, texel_in, texels_in, texels_of

SHAPE = (2, 6, 3, 5)


def stored(layout: str = "channel_tiles_rgba", shape: tuple[int, ...] = SHAPE) -> StoredTensor:
    return StoredTensor("x", "x", shape, layouts.layout(layout))


def test_a_tensor_is_seen_in_any_layout_that_fits() -> None:
    wide = stored("row_major_rgba", (25088,))
    assert {"linear", "row_major_rgba", "tfjs_packed"} <= set(layouts_for(wide, 16384))
    assert "tfjs_unpacked" not in layouts_for(wide, 16384), "a row of 25088 texels"
    assert shown_as(wide, "channel_tiles", 16384) is wide
    assert shown_as(wide, None, 16384) is wide
    assert shown_as(stored(), "channel_tiles_rgba", 16384) == stored()
    assert shown_as(stored(), "channel_tiles", 16384).layout.name == "channel_tiles"


@pytest.mark.parametrize("name", sorted(layouts.all_layouts()))
def test_a_texel_is_where_its_first_element_is(name: str) -> None:
    own, other = stored(), stored(name)
    for element in range(0, 180, 7):
        tx, ty, _ = own.layout.texel_of(SHAPE, element)
        first = own.layout.index_of(SHAPE, tx, ty, 0)
        assert texel_in(own, (tx, ty), other) == other.layout.texel_of(SHAPE, first)[:2]
    assert texel_in(own, (10_000, 0), other) is None
    assert texels_of(other, np.arange(180)) == [other.layout.texel_of(SHAPE, i)[:2] for i in range(180)]


def test_all_elements_of_a_texel_are_found() -> None:
    own, tiles = stored(), stored("channel_tiles")
    tx, ty, _ = own.layout.texel_of(SHAPE, 0)
    assert texels_in(own, [(tx, ty)], tiles) == {tiles.layout.texel_of(SHAPE, 15 * c)[:2] for c in range(4)}
    last = own.layout.texel_of(SHAPE, 4 * 15)[:2]
    assert len(texels_in(own, [last], tiles)) == 2, "two of the six channels are left for it"
    assert texels_in(own, [], tiles) == frozenset()
