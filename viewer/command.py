"""What a command is: an action by name, with title and shortcut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from imgui_bundle import imgui

Action = Callable[..., None]


@dataclass(frozen=True)
class Command:
    """`title` is empty for a command that only panels send, since it needs arguments."""

    name: str
    action: Action
    title: str = ""
    keys: str = ""
    chord: int = 0

    @property
    def types(self) -> bool:
        """Whether its keys also write a letter or move a caret, so that they are a text's while one is typed."""
        function_key = int(imgui.Key.f1) <= self.chord <= int(imgui.Key.f24)
        return not function_key and not self.chord & (int(imgui.Key.mod_ctrl) | int(imgui.Key.mod_alt))


def chord(key: imgui.Key, *, ctrl: bool = False, shift: bool = False, alt: bool = False) -> int:
    """A key with those held down, as imgui counts them."""
    held = (ctrl, imgui.Key.mod_ctrl), (shift, imgui.Key.mod_shift), (alt, imgui.Key.mod_alt)
    return int(key) | sum(int(modifier) for is_held, modifier in held if is_held)
