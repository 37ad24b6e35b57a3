"""Draws the row above a tensor that the user opened from a reading texel: whose reads are marked, and a button back."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.state import View
from texelscope.viewer.widgets.short_text import as_label, shortened


def draw(app: App, view: View) -> None:
    """Draws the row, if `view` is such a tab."""
    visit = app.state.visit
    if visit is None or view is not visit.view:
        return
    if imgui.button(f"← Back to {as_label(visit.of)}"):
        app.send("go_back")
    app.mark("go back")
    imgui.set_item_tooltip("Go to the texel that reads this (Esc)")
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    words = reads_words(app)
    imgui.text_disabled(shortened(words, imgui.get_content_region_avail().x))
    imgui.set_item_tooltip(words)


def reads_words(app: App) -> str:
    """Describes what is marked in the texture."""
    taps = app.fresh_taps()
    if taps is None:
        return "Its reads are not known."
    index = ", ".join(map(str, taps.index))
    return f"Marked: texels that {taps.name} [{index}] reads or should read"


def tab_words(app: App, view: View) -> str:
    """Returns the text behind the name in its tab."""
    visit = app.state.visit
    if visit is not None and view is visit.view:
        return f"  (read by {visit.of})"
    return "  (locked)" if view.locked else ""
