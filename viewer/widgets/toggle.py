"""Draws a button that looks pressed while its setting is on."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme


def toggle_button(label: str, *, on: bool, width: float = 0.0) -> bool:
    """Draws the button, of that width or as wide as its label; returns whether it was pressed."""
    if on:
        imgui.push_style_color(int(imgui.Col_.button), theme.packed(theme.CHOSEN))
    pressed = imgui.button(label, ImVec2(width, 0))
    if on:
        imgui.pop_style_color()
    return bool(pressed)
