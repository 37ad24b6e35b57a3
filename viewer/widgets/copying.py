"""Menus of a right-click that put text on the clipboard."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from texelscope.layouts.outside_text import printable_lines
from texelscope.viewer.app import App


def menu(app: App, identifier: str, texts: Mapping[str, str]) -> None:
    """The menu of the item just drawn, which copies: by title what."""
    if imgui.begin_popup_context_item(identifier):
        entries(app, texts)
        imgui.end_popup()


def entries(app: App, texts: Mapping[str, str]) -> None:
    """The entries themselves, in a menu that is open; a name that is pasted into a terminal does nothing there."""
    for title, text in texts.items():
        if imgui.menu_item(title, "", False)[0]:
            imgui.set_clipboard_text(printable_lines(text))
        app.mark(f"menu {title.lower()}")
