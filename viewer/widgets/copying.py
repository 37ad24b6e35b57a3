"""Menus of a right-click that put text on the clipboard."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from viewer.app import App


def menu(app: App, identifier: str, texts: Mapping[str, str]) -> None:
    """The menu of the item just drawn, which copies: by title what."""
    if imgui.begin_popup_context_item(identifier):
        entries(app, texts)
        imgui.end_popup()


def entries(app: App, texts: Mapping[str, str]) -> None:
    """The entries themselves, in a menu that is open."""
    for title, text in texts.items():
        if imgui.menu_item(title, "", False)[0]:
            imgui.set_clipboard_text(text)
        app.mark(f"menu {title.lower()}")
