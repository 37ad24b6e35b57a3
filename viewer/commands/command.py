"""What a command is: an action by name, with title and shortcut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from imgui_bundle import imgui

from texelscope.viewer.app import App

Action = Callable[..., None]


@dataclass(frozen=True)
class Command:
    """`title` is empty for a command that only panels send, since it needs arguments.

    `stepping` says whether it is there only while a fragment is stepped through, or only while none is; None: always.
    """

    name: str
    action: Action
    title: str = ""
    keys: str = ""
    chord: int = 0
    stepping: bool | None = None

    def is_there(self, app: App) -> bool:
        """Whether it can be asked for now: two commands may have the same keys where one of them never is there."""
        return self.stepping is None or self.stepping == app.stepping.is_on

    @property
    def types(self) -> bool:
        """Whether its keys mean something in a text too (letters, Ctrl+Left): the text's while one is typed."""
        ctrl, shift, alt = (int(key) for key in (imgui.Key.mod_ctrl, imgui.Key.mod_shift, imgui.Key.mod_alt))
        is_function_key = int(imgui.Key.f1) <= self.chord & ~(ctrl | shift | alt) <= int(imgui.Key.f24)
        is_double = self.chord & ctrl and self.chord & shift
        is_kept = self.chord in {ctrl | int(key) for key in (imgui.Key.p, imgui.Key.o, imgui.Key.q)}
        return not (is_function_key or is_double or is_kept or self.chord & alt)


def chord(key: imgui.Key, *, ctrl: bool = False, shift: bool = False, alt: bool = False) -> int:
    """A key with those held down, as imgui counts them."""
    held = (ctrl, imgui.Key.mod_ctrl), (shift, imgui.Key.mod_shift), (alt, imgui.Key.mod_alt)
    return int(key) | sum(int(modifier) for is_held, modifier in held if is_held)
