"""Tests what part of a graph is in sight."""

from __future__ import annotations

import pytest

from texelscope.viewer.graph.model.camera import FITTED_ZOOM, FLATTEST_ZOOM, MARGIN, WORDS_ZOOM, Camera

LONG, WIDE, LARGE, SMALL = (244.0, 80_000.0), (90_000.0, 500.0), (60_000.0, 60_000.0), (244.0, 300.0)


@pytest.mark.parametrize("extent", [LONG, WIDE, LARGE, SMALL])
def test_a_graph_of_any_size_is_seen_whole(extent: tuple[float, float]) -> None:
    camera = Camera(room=(800.0, 500.0), extent=extent)
    camera.fit(0.0)
    assert camera.sees_all
    assert camera.zoom <= 1.0


def test_a_long_graph_is_no_hairline_from_afar() -> None:
    camera = Camera(room=(800.0, 500.0), extent=LONG)
    camera.fit(0.0)
    assert camera.across == FLATTEST_ZOOM
    assert camera.down < FLATTEST_ZOOM / 10
    camera.extent = WIDE
    camera.fit(0.0)
    assert camera.down == FLATTEST_ZOOM
    assert camera.across < FLATTEST_ZOOM / 10


def test_of_a_graph_too_large_to_be_read_the_beginning_is_fitted() -> None:
    camera = Camera(room=(800.0, 500.0), extent=LARGE)
    camera.fit()
    assert (camera.zoom, camera.x, camera.y) == (FITTED_ZOOM, -MARGIN, -MARGIN)
    assert not camera.sees_all


@pytest.mark.parametrize("extent", [LONG, LARGE])
@pytest.mark.parametrize("zoom", [0.01, 0.2, 1.0])
def test_zooming_holds_what_is_under_the_mouse(extent: tuple[float, float], zoom: float) -> None:
    camera = Camera(x=10.0, y=500.0, zoom=zoom, room=(800.0, 500.0), extent=extent)
    before = camera.x + 300.0 / camera.across, camera.y + 200.0 / camera.down
    camera.zoom_at(1.5, (300.0, 200.0))
    assert (camera.x + 300.0 / camera.across, camera.y + 200.0 / camera.down) == pytest.approx(before)
    for _ in range(80):
        camera.zoom_at(0.8, (300.0, 200.0))
    assert camera.zoom == pytest.approx(min(camera.whole_zoom, FLATTEST_ZOOM)), "no further than to see all"


def test_going_to_a_box_makes_it_readable_and_bringing_it_keeps_the_zoom() -> None:
    camera = Camera(room=(800.0, 500.0), extent=LONG)
    camera.fit(0.0)
    far = camera.zoom
    camera.bring(0.0, 40_000.0)
    assert camera.zoom == far
    camera.go_to(0.0, 40_000.0)
    assert camera.zoom >= WORDS_ZOOM
    area = camera.seen
    assert area.left < 0.0 < area.right
    assert (area.top + area.bottom) / 2 == pytest.approx(40_042.0)
    before = camera.x, camera.y
    camera.go_to(0.0, 40_120.0)
    assert (camera.x, camera.y) == before, "the next one could be read where it is"


def test_a_box_in_sight_does_not_move_the_view() -> None:
    camera = Camera(room=(800.0, 500.0), extent=LONG)
    before = camera.x, camera.y
    camera.bring(0.0, 120.0)
    assert (camera.x, camera.y) == before
    camera.bring(0.0, 4000.0)
    assert camera.seen.top < 4000.0 < camera.seen.bottom
