"""Makes contexts without a visible window by what each system has for it, and says what to do where it refuses.

Linux has EGL; Windows has WGL, for which glcontext makes a window that is never shown; macOS has CGL.
"""

from __future__ import annotations

import contextlib
import platform
import sys

from texelscope.pipeline.display import display

# How each family of Linux installs Mesa with EGL, by the names in os-release(5).
_PACKAGES = {
    "debian": "apt install libegl1 libgl1-mesa-dri",
    "ubuntu": "apt install libegl1 libgl1-mesa-dri",
    "fedora": "dnf install mesa-libEGL mesa-dri-drivers",
    "rhel": "dnf install mesa-libEGL mesa-dri-drivers",
    "arch": "pacman -S mesa",
    "suse": "zypper install Mesa-libEGL1 Mesa-dri",
    "alpine": "apk add mesa-egl mesa-dri-gallium",
    "void": "xbps-install mesa mesa-dri",
    "gentoo": "emerge media-libs/mesa",
}


def advice() -> str:
    """Returns what to do on this system where no context of OpenGL can be made."""
    if sys.platform == "win32":
        if not display().name:
            return "Start it on the computer itself: Windows gives no OpenGL over ssh."
        return (
            "Install the driver of the graphics card's maker, or Microsoft's 'OpenCL, OpenGL, and Vulkan "
            "Compatibility Pack'."
        )
    if sys.platform == "darwin":
        return "Start it on the Mac itself, in an account that is logged in; a virtual machine may have no OpenGL."
    return f"Install a driver: {_install_line()}."


def newer_driver() -> str:
    """Returns what to do on this system for a newer OpenGL than its driver has."""
    if sys.platform == "darwin":
        return "macOS ends at OpenGL 4.1: take a machine with Linux or Windows for it."
    if sys.platform == "win32":
        return "Update the driver from the graphics card's maker."
    return f"Update the driver, or set LIBGL_ALWAYS_SOFTWARE=1 for Mesa's on the processor ({_install_line()})."


def _install_line() -> str:
    """Returns the command that installs Mesa on this Linux; Debian's, named as such, where the kind is unknown."""
    told: dict[str, str] = {}
    with contextlib.suppress(OSError):
        told = platform.freedesktop_os_release()
    for name in (told.get("ID", ""), *told.get("ID_LIKE", "").split()):
        if name in _PACKAGES:
            return _PACKAGES[name]
    return f"on Debian {_PACKAGES['debian']}"
