"""Draws menus that copy text to the clipboard."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from texelscope.layouts.outside_text import printable_lines
from texelscope.viewer.app import App


def menu(app: App, identifier: str, texts: Mapping[str, str]) -> None:
    """Draws the right-click menu of the item just drawn; `texts` maps titles to what they copy."""
    if imgui.begin_popup_context_item(identifier):
        entries(app, texts)
        imgui.end_popup()


def entries(app: App, texts: Mapping[str, str]) -> None:
    """Draws the entries in an open menu; the copied text is escaped so that pasting it into a terminal does no harm."""
    for title, text in texts.items():
        if imgui.menu_item(title, "", False)[0]:
            imgui.set_clipboard_text(printable_lines(text))
        app.mark(f"menu {title.lower()}")
