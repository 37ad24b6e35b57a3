"""A button that looks pressed while what it stands for is on."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme


def toggle_button(label: str, *, on: bool, width: float = 0.0) -> bool:
    """The button, of that width or as wide as its label; whether it was pressed."""
    if on:
        imgui.push_style_color(int(imgui.Col_.button), theme.packed(theme.CHOSEN))
    pressed = imgui.button(label, ImVec2(width, 0))
    if on:
        imgui.pop_style_color()
    return bool(pressed)
