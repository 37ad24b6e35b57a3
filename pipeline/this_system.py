"""Names the system that this runs on, and says how a driver gets onto it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_RELEASE = (Path("/etc/os-release"), Path("/usr/lib/os-release"))

# By the name of a distribution, or of one that it is like (os-release(5)): how it installs Mesa's EGL and its drivers.
_INSTALL = {
    "debian": "sudo apt install libegl1 libgl1-mesa-dri",
    "ubuntu": "sudo apt install libegl1 libgl1-mesa-dri",
    "fedora": "sudo dnf install mesa-libEGL mesa-dri-drivers",
    "rhel": "sudo dnf install mesa-libEGL mesa-dri-drivers",
    "arch": "sudo pacman -S mesa",
    "suse": "sudo zypper install Mesa-libEGL1 Mesa-dri",
    "opensuse": "sudo zypper install Mesa-libEGL1 Mesa-dri",
    "alpine": "sudo apk add mesa-egl mesa-dri-gallium",
    "void": "sudo xbps-install mesa mesa-dri",
    "gentoo": "sudo emerge media-libs/mesa",
    "nixos": "set hardware.graphics.enable = true",
}
_ANY_LINUX = "install the packages of Mesa's EGL and its drivers"


@dataclass(frozen=True)
class System:
    """A system: its kind, its name for people, and the distributions that it is or is like, nearest first."""

    kind: Literal["linux", "macos", "windows"]
    name: str
    alike: tuple[str, ...] = ()

    @property
    def install_driver(self) -> str:
        """Returns a sentence on how a driver is installed."""
        if self.kind == "macos":
            return "macOS brings its own driver: log in at the screen, as a session over ssh alone may have none."
        if self.kind == "windows":
            return (
                "Install the graphics driver of the card's maker; without a card, put opengl32.dll of Mesa for Windows "
                "beside python.exe."
            )
        known = next((_INSTALL[name] for name in self.alike if name in _INSTALL), _ANY_LINUX)
        return f"On {self.name}: {known}."

    @property
    def newer_driver(self) -> str:
        """Returns a sentence on how a newer OpenGL is had."""
        if self.kind == "macos":
            return "macOS ends at OpenGL 4.1: use a machine with Linux or Windows for it."
        if self.kind == "windows":
            return f"Update the driver. {self.install_driver}"
        return f"Update the driver, or set LIBGL_ALWAYS_SOFTWARE=1 for Mesa's on the processor. {self.install_driver}"


def this_system() -> System:
    """Returns the system that this runs on."""
    if sys.platform == "darwin":
        return System("macos", "macOS")
    if sys.platform == "win32":
        return System("windows", "Windows")
    for path in _RELEASE:
        try:
            return of_release(path.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
    return System("linux", "this system")


def of_release(text: str) -> System:
    """Returns the Linux distribution that an os-release file describes."""
    entries = dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))
    values = {key.strip(): value.strip().strip("\"'") for key, value in entries.items()}
    alike = " ".join((values.get("ID", ""), values.get("ID_LIKE", ""))).lower().split()
    # openSUSE's ID has its edition behind a hyphen.
    names = [part for name in alike for part in (name, name.partition("-")[0])]
    return System("linux", values.get("NAME") or "this system", tuple(dict.fromkeys(names)))
