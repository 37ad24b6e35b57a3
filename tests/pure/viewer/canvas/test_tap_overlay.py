"""Taps are drawn as few rectangles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texelscope.viewer.canvas.tap_overlay import rectangles

TEXELS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)))


def covered(rectangle: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    left, top, right, bottom = rectangle
    return [(tx, ty) for ty in range(top, bottom) for tx in range(left, right)]


@given(TEXELS)
def test_the_rectangles_cover_every_texel_once_and_nothing_else(texels: set[tuple[int, int]]) -> None:
    cover = [texel for rectangle in rectangles(texels) for texel in covered(rectangle)]
    assert sorted(cover) == sorted(texels)


def test_a_kernel_s_window_in_each_tile_is_one_rectangle() -> None:
    windows = [(10, 4, 14, 8), (74, 4, 78, 8), (10, 68, 14, 72)]
    texels = [texel for window in windows for texel in covered(window)]
    assert sorted(rectangles(texels)) == sorted(windows)
