"""Makes a command for each panel, which brings it to the front, and one that resets their layout."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup, chord
from texelscope.viewer.panel import Panel, all_panels
from texelscope.viewer.shell.layout_commands import layout_menu
from texelscope.viewer.shell.scale_commands import scale_menu

_PLACES = ("left", "centre", "right", "bottom_left", "bottom")
_SIGNS = {"-": "minus", "=": "equal", "[": "left_bracket", "]": "right_bracket", ";": "semicolon", "'": "apostrophe",
          ",": "comma", "/": "slash"}  # fmt: skip


def commands_of(panels: tuple[Panel, ...]) -> tuple[Command, ...]:
    """Returns a command for each panel, with Alt and the key that it declares.

    Of two panels with the same key, the one that is always there gets it, else the one further to the left; the other
    has no key. So has one that declares none, or none that exists.
    """
    taken: set[str] = set()
    commands = []
    for panel in sorted(panels, key=_rank):
        key = None if panel.key in taken else _key_of(panel.key)
        taken.add(panel.key)
        name, title, action = f"panel {panel.title}", f"Panel {panel.title}", _bring(panel.title)
        commands.append(
            Command(name, action, title)
            if key is None
            else Command(name, action, title, f"Alt+{panel.key}", chord(key, alt=True))
        )
    return tuple(commands)


def _rank(panel: Panel) -> tuple[object, ...]:
    """Ranks panels from left to right, then below; temporary panels last."""
    return panel.comes_and_goes, _PLACES.index(panel.place), panel.order, panel.title


def _key_of(sign: str) -> imgui.Key | None:
    """Returns imgui's key of a digit or a sign; None if there is none that panels may have."""
    name = f"_{sign}" if sign.isdecimal() and len(sign) == 1 else _SIGNS.get(sign)
    key: imgui.Key | None = getattr(imgui.Key, name) if name is not None else None
    return key


def _bring(title: str) -> Action:
    def action(app: App) -> None:
        app.state.wanted_panels.append(title)

    return action


def _arrange(app: App) -> None:
    app.state.first_layout, app.state.texture_first, app.state.panels_before = True, False, ""
    app.state.shown_panels.clear()


def _texture_first(app: App) -> None:
    app.state.texture_first = not app.state.texture_first


COMMANDS = (
    *commands_of(all_panels()),
    Command("arrange", _arrange, "Reset the panel layout", "Ctrl+Shift+A", chord(imgui.Key.a, ctrl=True, shift=True)),
    Command("texture_first", _texture_first, "Give the texture most of the window", "Shift+F",
            chord(imgui.Key.f, shift=True)),
)  # fmt: skip
MENUS = (MenuGroup("View", 70, ("texture_first", layout_menu, scale_menu, "look")),)
