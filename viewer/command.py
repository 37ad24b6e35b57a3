"""Defines a command: an action with a name, a title and a shortcut.

The commands of a feature are `COMMANDS` in its modules `commands.py` and `*_commands.py`; `MENUS` there, if any, says
where they are in the menus.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.key_names import is_mac, with_keys

Action = Callable[..., None]


@dataclass(frozen=True)
class Command:
    """An action; `title` is empty for a command that only panels send, because it needs arguments.

    `keys` are named as on this system.

    `stepping` is True for a command that exists only while stepping through a fragment, False for one that exists only
    otherwise, and None for one that always exists.
    """

    name: str
    action: Action
    title: str = ""
    keys: str = ""
    chord: int = 0
    stepping: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", with_keys(self.keys))

    def is_there(self, app: App) -> bool:
        """Returns whether the command exists now; two commands may share keys if they never exist together."""
        return self.stepping is None or self.stepping == app.debugger.stepping.is_on

    @property
    def types(self) -> bool:
        """Whether its keys also mean something in a text field (letters, Ctrl+Left), which then gets them."""
        ctrl, shift, alt = (int(key) for key in (imgui.Key.mod_ctrl, imgui.Key.mod_shift, imgui.Key.mod_alt))
        key = self.chord & ~(ctrl | shift | alt)
        if is_mac() and self.chord & alt and int(imgui.Key._0) <= key <= int(imgui.Key.z):
            return True  # Option with a letter types another letter there
        is_function_key = int(imgui.Key.f1) <= key <= int(imgui.Key.f24)
        is_double = self.chord & ctrl and self.chord & shift
        is_kept = self.chord in {ctrl | int(key) for key in (imgui.Key.p, imgui.Key.o, imgui.Key.q)}
        return not (is_function_key or is_double or is_kept or self.chord & alt)


Menu = Literal["File", "View", "Run", "Train", "Step", "Layers", "Tools", "Help"]


@dataclass(frozen=True)
class MenuGroup:
    """Entries between two separators of a menu: names of commands, and functions that draw a submenu.

    Groups of a menu are sorted by `order`.
    """

    menu: Menu
    order: int
    entries: tuple[str | Callable[[App], None], ...]


def toggle(attribute: str) -> Action:
    """Returns an action that switches an attribute of the view state on or off."""

    def action(app: App) -> None:
        setattr(app.state, attribute, not getattr(app.state, attribute))

    return action


def chord(key: imgui.Key, *, ctrl: bool = False, shift: bool = False, alt: bool = False) -> int:
    """Returns a key with its modifiers as imgui encodes them."""
    held = (ctrl, imgui.Key.mod_ctrl), (shift, imgui.Key.mod_shift), (alt, imgui.Key.mod_alt)
    return int(key) | sum(int(modifier) for is_held, modifier in held if is_held)
