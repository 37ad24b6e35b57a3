"""Tests the reported places of controls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App

Place = tuple[float, float, float, float]


def places_while_a_list_opens(frames: int) -> list[dict[str, Place]]:
    """The places of a list's entries, frame by frame, from the click on it."""
    app = cast(Any, SimpleNamespace(display=SimpleNamespace(places={})))
    io = imgui.get_io()
    io.set_ini_filename("")  # else it leaves a file behind
    io.display_size = ImVec2(400, 300)
    io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
    seen = []
    clicks: tuple[bool | None, ...] = (None, None, None, True, False)
    for frame in range(len(clicks) + frames):
        if frame < len(clicks):
            io.add_mouse_pos_event(150, 110)
            if (down := clicks[frame]) is not None:
                io.add_mouse_button_event(0, down)
        imgui.new_frame()
        app.display.places.clear()
        imgui.set_next_window_pos(ImVec2(100, 70))
        imgui.set_next_window_size(ImVec2(250, 150))
        imgui.begin("window")
        if imgui.begin_combo("##list", "one"):
            for entry in ("one", "two", "three"):
                imgui.selectable(entry, False)
                App.mark(app, entry)
            imgui.end_combo()
        imgui.end()
        imgui.render()
        seen.append(dict(app.display.places))
    return seen


def test_the_entries_of_a_list_have_no_place_before_they_stand_where_they_stay() -> None:
    context = imgui.create_context()
    try:
        seen = [places for places in places_while_a_list_opens(4) if places]
    finally:
        imgui.destroy_context(context)
    assert len(seen) >= 3, "the list opens"
    assert all(places == seen[-1] for places in seen)
    assert list(seen[-1]) == ["one", "two", "three"]
