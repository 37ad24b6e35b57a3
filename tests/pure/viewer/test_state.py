"""Tests what a texture tab shows: fitting, zooming, and views that move together."""

from __future__ import annotations

import pytest

from texelscope.viewer.state import MAX_ZOOM, THINNEST_PIXELS, View
from texelscope.viewer.texture.side_by_side import columns_of, follow


@pytest.mark.parametrize("size", [(128, 128), (300, 40), (1000, 900), (3, 5)])
def test_a_fitted_texture_is_seen_whole_and_in_the_middle(size: tuple[int, int]) -> None:
    view = View()
    view.fit(*size, 800, 500)
    assert view.centre == (size[0] / 2, size[1] / 2)
    assert size[0] * view.zoom <= 800
    assert size[1] * view.zoom <= 500


@pytest.mark.parametrize("size", [(16384, 1), (1, 16384), (8192, 3)])
def test_of_a_long_thin_texture_the_beginning_is_seen_and_it_is_no_hairline(size: tuple[int, int]) -> None:
    view = View()
    view.fit(*size, 800, 500)
    assert min(size) * view.zoom >= THINNEST_PIXELS * 0.9
    left, top = view.centre[0] - 400 / view.zoom, view.centre[1] - 250 / view.zoom
    assert max(left, top) <= 0.0, "the first texel is in sight"
    assert (left if size[0] > size[1] else top) == pytest.approx(0.0), "at the edge"


def test_a_single_texel_is_not_larger_than_the_largest_zoom() -> None:
    view = View()
    view.fit(1, 1, 800, 500)
    assert view.zoom == MAX_ZOOM


def test_a_fitted_view_fits_another_room_until_it_is_zoomed_or_moved() -> None:
    view = View()
    assert not view.outgrew_fit(800, 500), "it was never fitted"
    view.fit(100, 80, 800, 500)
    assert not view.outgrew_fit(800, 500)
    assert view.outgrew_fit(900, 500)
    view.zoom_at(2.0, view.centre)
    assert not view.outgrew_fit(900, 500)
    view.fit(100, 80, 800, 500)
    view.move(1.0, 0.0, 100, 80)
    assert not view.outgrew_fit(900, 500)


def test_a_texture_cannot_be_moved_out_of_sight() -> None:
    view = View(zoom=2.0, centre=(32.0, 32.0))
    view.move(5.0, -7.0, 64, 64)
    assert view.centre == (37.0, 25.0)
    view.move(1000.0, -1000.0, 64, 64)
    assert view.centre == (64.0, 0.0), "a corner stays in the middle"


def test_a_linked_view_shows_the_same_part_of_a_texture_of_another_size() -> None:
    source = View(zoom=4.0, centre=(32.0, 16.0), pick=(3, 4), hover=(5, 6))
    view = View()
    follow(view, source, (32, 64), (64, 128))
    assert (view.centre, view.zoom) == ((16.0, 8.0), 8.0)
    assert (view.pick, view.echo) == (None, None), "its texels are others"
    alike = View()
    follow(alike, source, (64, 128), (64, 128))
    assert (alike.pick, alike.echo) == ((3, 4), (5, 6))


@pytest.mark.parametrize(
    ("count", "size", "columns"),
    [(1, (800, 500), 1), (2, (800, 500), 2), (2, (300, 900), 1), (4, (800, 700), 2), (3, (1500, 500), 3)],
)
def test_panes_are_as_large_as_the_panel_lets_them_be(count: int, size: tuple[int, int], columns: int) -> None:
    assert columns_of(count, *size) == columns
