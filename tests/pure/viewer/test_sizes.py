"""Tests sizes in the window when it moves between screens of several scales."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme


@pytest.fixture(autouse=True)
def context() -> Iterator[None]:
    made = imgui.create_context()
    yield
    imgui.destroy_context(made)


def sizes() -> dict[str, object]:
    style = imgui.get_style()
    values = {name: getattr(style, name) for name in dir(style) if not name.startswith("_")}
    told = {name: (value.x, value.y) if isinstance(value, ImVec2) else value for name, value in values.items()}
    return {name: value for name, value in told.items() if isinstance(value, float | tuple)}


def test_a_window_that_comes_back_to_a_screen_has_the_sizes_that_it_had_there() -> None:
    theme.resize(1.0)
    theme.show("light")
    before, colour = sizes(), imgui.get_style().color_(int(imgui.Col_.text)).x
    for scale in (1.25, 2.0, 1.5):
        theme.resize(scale)
        assert sizes()["font_scale_dpi"] == scale
    theme.resize(1.0)
    assert sizes() == before
    assert imgui.get_style().color_(int(imgui.Col_.text)).x == colour


def test_on_a_retina_display_all_is_twice_as_large() -> None:
    theme.resize(1.0)
    before = sizes()
    theme.resize(2.0)
    assert sizes()["frame_padding"] == tuple(2 * value for value in before["frame_padding"])  # type: ignore[attr-defined]
    assert sizes()["scrollbar_size"] == 2 * before["scrollbar_size"]  # type: ignore[operator]
