"""Draws what is in the middle while there is no texture: opening, failed, or nothing yet, and what to do next."""

from __future__ import annotations

import time
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.widgets.controls import as_label

_WIDTH = 640.0
_MOST_RECENT = 5


def draw(app: App) -> None:
    """Draws the state while nothing is open (yet): progress or failure, and what to do next."""
    document = app.document
    room = imgui.get_content_region_avail()
    wide = min(room.x * 0.9, _WIDTH * app.scale)
    imgui.set_cursor_pos(ImVec2((room.x - wide) / 2, room.y * 0.22))
    imgui.begin_child("nothing", ImVec2(wide, 0))
    if document.opening:
        _headline(app, f"{document.opening} …")
        imgui.progress_bar(-(time.monotonic() % 1e4), ImVec2(wide * 0.6, 4 * app.scale), "")
        imgui.text_disabled("Reading the file and planning its passes.")
        if imgui.button("Cancel"):
            app.send("cancel")
    elif document.failure:
        _headline(app, "Could not open the file")
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
        imgui.text_wrapped(document.failure)
        imgui.pop_style_color()
        imgui.dummy(ImVec2(0, 6 * app.scale))
        _choices(app)
    else:
        _headline(app, "Nothing is open")
        imgui.text_wrapped("Open an ONNX model or a pipeline of your own shaders, or drop its file here.")
        imgui.dummy(ImVec2(0, 6 * app.scale))
        _choices(app)
    imgui.end_child()


def _headline(app: App, text: str) -> None:
    imgui.push_font(app.display.fonts.bold, theme.FONT_PIXELS * 1.3)
    imgui.text_unformatted(text)
    imgui.pop_font()


def _choices(app: App) -> None:
    if imgui.button("Open …"):
        app.send("open_dialog")
    app.mark("open")
    imgui.same_line()
    imgui.text_disabled("Ctrl+O")
    imgui.same_line(0, 18 * app.scale)
    if imgui.button("Open the demo"):
        app.send("open_demo")
    app.mark("open demo")
    recent = [path for path in app.remembering.settings.recent if Path(path).exists()][:_MOST_RECENT]
    if not recent:
        return
    imgui.dummy(ImVec2(0, 6 * app.scale))
    imgui.text_disabled("Recently opened")
    for path in recent:
        place = Path(path)
        if imgui.selectable(f"{as_label(f'{place.parent.name}/{place.name}')}##{path}", False)[0]:
            app.send("open_path", path=path)
        imgui.set_item_tooltip(path)
