"""Numbers behind a picture: the next that is not finite, and ranges of regions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from texelscope import layouts
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.colour.picture import TrueColour, layout_of
from texelscope.viewer.state import View
from texelscope.viewer.texture.range_bar import share_of
from texelscope.viewer.texture.shown import ShownTensor
from texelscope.viewer.texture.texel_commands import exact, finite_range, next_element, region_in_sight, tile_region

SHAPE = (1, 5, 4, 6)


def shown(layout: str) -> ShownTensor:
    return cast(ShownTensor, SimpleNamespace(stored=StoredTensor("x", "x", SHAPE, layouts.layout(layout))))


def test_wanted_elements_are_gone_through_texel_by_texel_and_again() -> None:
    stored, wanted = StoredTensor("x", "x", (1, 1, 3, 3), layouts.layout("channel_tiles")), np.zeros(9, dtype=bool)
    wanted[[2, 5, 7]] = True
    picks = (None, (2, 0), (0, 1), (2, 1), (1, 2), (2, 2))
    assert [next_element(stored, wanted, pick) for pick in picks] == [2, 5, 5, 7, 2, 2]
    assert next_element(stored, np.zeros(9, dtype=bool), (0, 0)) is None


def test_elements_of_one_pixel_are_one_stop_and_those_of_another_picture_the_last() -> None:
    shape = (2, 3, 8, 9)
    stored = StoredTensor("x", "x", shape, layout_of(shape, TrueColour()))
    wanted = np.zeros(shape, dtype=bool)
    wanted[0, :, 2, 3] = wanted[0, 2, 1, 5] = wanted[1, 0, 0, 0] = True
    stops = [next_element(stored, wanted.reshape(-1), pick) for pick in (None, (5, 1), (3, 2))]
    assert stops == [int(np.ravel_multi_index(index, shape)) for index in ((0, 2, 1, 5), (0, 0, 2, 3), (1, 0, 0, 0))]


@pytest.mark.parametrize("layout", ["channel_tiles", "channel_tiles_rgba"])
def test_the_range_of_a_tile_is_that_of_its_finite_numbers(layout: str) -> None:
    values = np.arange(np.prod(SHAPE), dtype=np.float32).reshape(SHAPE)
    values[0, 4, 0, 0] = np.inf
    seen, view = shown(layout), View()
    last = seen.stored.layout.texel_of(SHAPE, int(np.prod(SHAPE)) - 1)[:2]
    region = tile_region(seen, last)
    assert region is not None
    first = 4 * 24.0
    assert finite_range(values.reshape(-1), seen, view, region) == (first + 1, first + 23)
    view.lanes = [False, False, False, True]
    alone = finite_range(values.reshape(-1), seen, view, region)
    assert alone is None, "neither has anything in that lane there"


def test_what_is_in_sight_ends_at_the_textures_edges() -> None:
    seen = shown("channel_tiles")  # 3 x 2 tiles of 6 x 4 texels
    assert region_in_sight(seen, View(zoom=10.0, centre=(9.0, 4.0)), 1000.0, 1000.0) == (0, 0, 18, 8)
    assert region_in_sight(seen, View(zoom=10.0, centre=(9.0, 4.0)), 40.0, 20.0) == (7, 3, 12, 6)


def test_a_copied_number_is_the_shortest_that_is_it() -> None:
    for value in (0.1, 1 / 3, 1e-30, 16777217.0):
        assert np.float32(exact(float(np.float32(value)))) == np.float32(value)
    assert exact(float(np.float32(0.1))) == "0.1"


def test_with_logarithms_one_among_a_million_has_a_bar() -> None:
    assert share_of(1.0, 1e6, logarithmic=True) > 0.04
    assert share_of(1.0, 1e6, logarithmic=False) < 1e-5
    assert share_of(1e6, 1e6, logarithmic=True) == share_of(1e6, 1e6, logarithmic=False) == 1.0
