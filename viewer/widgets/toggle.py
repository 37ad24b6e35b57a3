"""A button that looks pressed while what it stands for is on."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer import theme

_CHOSEN = (0.204, 0.353, 0.529, 1.0)


def toggle_button(label: str, *, on: bool, width: float = 0.0) -> bool:
    """The button, of that width or as wide as its label; whether it was pressed."""
    if on:
        imgui.push_style_color(int(imgui.Col_.button), theme.packed(_CHOSEN))
    pressed = imgui.button(label, ImVec2(width, 0))
    if on:
        imgui.pop_style_color()
    return bool(pressed)
