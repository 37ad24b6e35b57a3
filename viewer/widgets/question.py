"""Begins a question in the middle of the window, which waits for an answer before anything else is done."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App


def begin_question(app: App, title: str, width: float) -> bool:
    """Opens the question at most `width` pixels wide at scale 1; returns whether to draw it, then `imgui.end_popup()`.

    Call in each frame while the question stands.
    """
    if not imgui.is_popup_open(title):
        imgui.open_popup(title)
    viewport, flags = imgui.get_main_viewport(), imgui.WindowFlags_
    imgui.set_next_window_pos(ImVec2(viewport.size.x / 2, viewport.size.y * 0.3), 0, ImVec2(0.5, 0.3))
    imgui.set_next_window_size(ImVec2(min(width * app.scale, viewport.size.x * 0.96), 0))
    fixed = flags.no_resize | flags.no_move | flags.no_saved_settings
    return bool(imgui.begin_popup_modal(title, None, int(fixed))[0])
