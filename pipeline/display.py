"""Says whether this system can show a window to the person who started the program."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

_OVER_SSH = ("SSH_CONNECTION", "SSH_TTY")


@dataclass(frozen=True)
class DisplayFound:
    """`name` is what shows windows here, empty for nothing; then `missing` says why, and `do_next` what to do."""

    name: str
    missing: str = ""
    do_next: str = ""


def display() -> DisplayFound:
    """Returns what shows windows here. It opens none: a server that does not respond is found when one opens."""
    if sys.platform in ("win32", "darwin"):
        system = "Windows" if sys.platform == "win32" else "macOS"
        if _is_remote():
            here = "computer" if sys.platform == "win32" else "Mac"
            return DisplayFound("", f"{system} shows no window over ssh", f"Start it on the {here} itself.")
        return DisplayFound("desktop")
    if name := os.environ.get("DISPLAY"):
        return DisplayFound(name)
    if name := os.environ.get("WAYLAND_DISPLAY"):
        return DisplayFound(
            "",
            f"WAYLAND_DISPLAY={name} is set, but DISPLAY is not, and the window needs X11",
            "Install XWayland (package xwayland or xorg-x11-server-Xwayland), which sets DISPLAY, and log in again.",
        )
    return DisplayFound("", "neither DISPLAY nor WAYLAND_DISPLAY is set", "Start it in a desktop, or under xvfb-run.")


def _is_remote() -> bool:
    return any(os.environ.get(name) for name in _OVER_SSH)
