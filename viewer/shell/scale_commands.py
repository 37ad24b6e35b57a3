"""Implements the choice of the scale of text and controls: a submenu of View, and two keys."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, chord
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.memory.settings import SCALES


def scale_menu(app: App) -> None:
    """Draws the submenu: the scale that the screen asks for, or one that stays."""
    is_open = imgui.begin_menu("Interface scale")
    app.mark("menu scale")
    if not is_open:
        return
    chosen = app.remembering.settings.scale
    if imgui.menu_item(f"As the screen asks for ({app.screen_scale:.0%})", "", chosen is None)[0]:
        app.send("set_scale", scale=None)
    app.mark("scale of the screen")
    for scale in SCALES:
        if imgui.menu_item(f"{scale:.0%}", "", scale == chosen)[0]:
            app.send("set_scale", scale=scale)
        app.mark(f"scale {scale:g}")
    imgui.text_disabled(with_keys("Ctrl+= and Ctrl+- go to the next"))
    imgui.end_menu()


def set_scale(app: App, scale: float | None) -> None:
    """Draws text and controls at a scale from now on, also after the next start; None is what the screen asks for."""
    app.remembering.settings.scale = scale
    app.remembering.save()
    app.scale = scale or app.screen_scale
    theme.resize(app.scale)


def _step(by: int) -> Action:
    """Returns an action that goes to the next larger (1) or smaller (-1) scale."""

    def action(app: App) -> None:
        others = [each for each in SCALES if (each - app.scale) * by > 0.0]
        if others:
            set_scale(app, min(others) if by > 0 else max(others))

    return action


COMMANDS = (
    Command("set_scale", set_scale),
    Command("larger", _step(1), "Larger text and controls", "Ctrl+=", chord(imgui.Key.equal, ctrl=True)),
    Command("smaller", _step(-1), "Smaller text and controls", "Ctrl+-", chord(imgui.Key.minus, ctrl=True)),
)
