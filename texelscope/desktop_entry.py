"""Writes and removes the entry that starts the window from the applications menu of a Linux desktop.

The files and their places are those of the Desktop Entry Specification and the XDG Base Directory Specification. They
lie in the user's own folders: the system's are the business of a distribution's package.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.errors import TexelscopeError

_ICON = Path(__file__).resolve().parent / "icon.svg"
# Letters that a quoted argument of `Exec` may hold only behind a backslash.
_ESCAPED = re.compile(r'(["`$\\])')
_OTHER_SYSTEMS = {
    "darwin": ("macOS", "Write that command into a file Texelscope.command, make it executable with 'chmod +x', and "
                        "keep it in the Dock."),
    "win32": ("Windows", "Right-click the desktop, choose New, Shortcut, and enter that command."),
}  # fmt: skip


@dataclass(frozen=True)
class EntryFiles:
    """Names the two files of the entry, below the user's folder for data."""

    entry: Path
    icon: Path

    @property
    def both(self) -> tuple[Path, Path]:
        """Returns the icon first, because a menu reads the entry as soon as it is there."""
        return self.icon, self.entry


def entry_files(environment: Mapping[str, str] = os.environ) -> EntryFiles:
    """Returns the places of both files. Raises TexelscopeError for a user without a home."""
    given = Path(environment.get("XDG_DATA_HOME") or "")
    try:
        data = given if given.is_absolute() else Path.home() / ".local" / "share"
    except RuntimeError as error:
        raise TexelscopeError("HOME", "the user's folder", "none", "Set HOME or XDG_DATA_HOME.") from error
    icon = data / "icons" / "hicolor" / "scalable" / "apps" / "texelscope.svg"
    return EntryFiles(data / "applications" / "texelscope.desktop", icon)


def install(files: EntryFiles, command: Sequence[str]) -> None:
    """Writes both files. Raises TexelscopeError where one cannot be written, or the command holds a line end."""
    text = entry_text(command)
    for path, content in zip(files.both, (_ICON.read_text(encoding="utf-8"), text), strict=True):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            got, advice = error.strerror or str(error), "Set XDG_DATA_HOME to another folder."
            raise TexelscopeError(str(path.parent), "a folder that can be made", got, advice) from error
        write_text_whole(path, content)


def remove(files: EntryFiles) -> tuple[Path, ...]:
    """Removes both files and returns those that were there. Raises TexelscopeError where one cannot be removed."""
    present = tuple(path for path in reversed(files.both) if path.is_symlink() or path.exists())
    for path in present:
        try:
            path.unlink()
        except OSError as error:
            got = error.strerror or str(error)
            raise TexelscopeError(str(path), "a file that can be removed", got, "Remove it by hand.") from error
    return present


def entry_text(command: Sequence[str]) -> str:
    """Returns the text of the entry, which runs `command`, a program and its arguments.

    Raises TexelscopeError for a word with a line end or another control character, which no entry can hold.
    """
    for word in command:
        if not word.isprintable():
            got = "one with a control character"
            raise TexelscopeError(ascii(word), "a path for a desktop entry", got, "Install it at another path.")
    return "\n".join(
        [
            "[Desktop Entry]",
            "Type=Application",
            "Version=1.0",
            "Name=Texelscope",
            "GenericName=Shader debugger",
            "Comment=See a neural network run as framebuffer passes, and name the first shader that is wrong",
            f"TryExec={_value(command[0])}",
            f"Exec={_value(' '.join(map(_argument, command)))} %f",
            "Icon=texelscope",
            "Terminal=false",
            "Categories=Development;Debugger;",
            "Keywords=GLSL;ONNX;OpenGL;WebGL;neural network;texture;",
            "StartupWMClass=Texelscope",
            "",
        ]
    )


def _argument(word: str) -> str:
    """Quotes one argument as `Exec` wants it; a per cent sign would otherwise begin a field code."""
    return '"' + _ESCAPED.sub(r"\\\1", word).replace("%", "%%") + '"'


def _value(text: str) -> str:
    """Escapes a value of the type string."""
    return text.replace("\\", "\\\\")


def command_of_this_program(arguments: Sequence[str] = sys.argv) -> tuple[str, ...]:
    """Returns what starts this copy of the program from any folder."""
    started = Path(arguments[0])
    if started.name == "app.py":
        return sys.executable, str(started.absolute())
    if started.suffix == ".py":
        return sys.executable, "-m", "texelscope"
    return (str(started.absolute()),)


def check_system(command: Sequence[str], platform: str = sys.platform) -> None:
    """Raises TexelscopeError on a system that has no desktop entries, with what to do there."""
    if platform in _OTHER_SYSTEMS:
        system, advice = _OTHER_SYSTEMS[platform]
        typed = " ".join(f'"{word}"' if " " in word else word for word in command)
        raise TexelscopeError("install-desktop-entry", "a Linux desktop", system, f"The command is {typed}. {advice}")
