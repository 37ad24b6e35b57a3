"""Reports a fault of this program: one line for its user, and a file with all that fixing it takes.

The newest twenty files are kept, where the system keeps a user's logs.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shlex
import sys
import time
import traceback
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from texelscope.layouts.installed import EntryPoint, plugin_at
from texelscope.layouts.outside_text import printable_lines
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.crash_report.recent import recent_lines
from texelscope.pipeline.errors import TexelscopeError, error_line, said_by
from texelscope.pipeline.user_folders import log_folder

# What this program's own modules lie in.
_PROGRAM = Path(__file__).parents[2]
_PACKAGES = ("numpy", "onnx", "onnxruntime", "moderngl", "pyglet", "imgui-bundle", "PyOpenGL", "Pillow", "tree-sitter",
             "watchfiles")  # fmt: skip


def program_lines() -> tuple[tuple[str, str], ...]:
    """Returns the program and its Python, by name."""
    python = f"{platform.python_version()} ({sys.platform}, {platform.machine()})"
    return ("Texelscope", program_version()), ("Python", python)


def program_version() -> str:
    """Returns the version of the program, or words that say it is not installed."""
    return _version("texelscope")


def package_lines() -> tuple[tuple[str, str], ...]:
    """Returns the packages, by name."""
    return tuple((name, _version(name)) for name in _PACKAGES)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


# So many files are kept, the newest.
MOST_FILES = 20
_PATTERN = "fault-*.log"


def told(who: str, error: BaseException) -> str:
    """Returns one line on an error: its own if a user can cause it, else that of a fault, written to a file."""
    if isinstance(error, MemoryError):
        return error_line(who, "enough memory", "none", "Use smaller shapes.")
    return str(error) if isinstance(error, TexelscopeError) else fault(who, error)


def fault(who: str, error: BaseException) -> str:
    """Returns the line of a fault, which names its file, and the plug-in if one raised it; `who` is what failed."""
    path = write_fault(who, error)
    where = f"All of it is in {path}; please report it with that." if path is not None else "--debug shows all of it."
    of_plugin = raised_in_plugin(error)
    if of_plugin is not None:
        plugin, place = of_plugin
        return error_line(who, f"no fault of the plug-in {plugin.distribution}",
                          f"{said_by(error, with_type=True)} ({place})", f"Its author can fix it. {where}")  # fmt: skip
    return error_line(who, "no fault of this program", said_by(error, with_type=True), where)


def raised_in_plugin(error: BaseException) -> tuple[EntryPoint, str] | None:
    """Returns the plug-in whose code raised the error, itself or in a call, and its place as FILE:LINE."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        plugin = plugin_at(frame.filename)
        if plugin is not None:
            return plugin, f"{Path(frame.filename).name}:{frame.lineno}"
        if Path(frame.filename).is_relative_to(_PROGRAM):
            return None
    return None


def write_fault(who: str, error: BaseException) -> Path | None:
    """Writes the report of the error; returns None where no file can be written."""
    name = f"fault-{datetime.now().astimezone():%Y%m%d-%H%M%S.%f}-{os.getpid()}.log"
    try:
        path = log_folder() / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text_whole(path, _text(who, error))
        _forget_oldest(path.parent)
    except (OSError, RuntimeError, TexelscopeError):  # no home, or a full disk: the line has to do
        return None
    return path


def _text(who: str, error: BaseException) -> str:
    lines = [f"{name}: {version}" for name, version in (*program_lines(), *package_lines())]
    return "\n".join(
        [
            f"{who}: {said_by(error, with_type=True)}",
            f"At: {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
            f"Command line: {shlex.join(sys.argv)}",
            *lines,
            "",
            traced(error),
            "Before it:",
            *(recent_lines() or ["nothing"]),
            "",
        ]
    )


def traced(error: BaseException) -> str:
    """Returns the traceback of an error, also of one whose text fails; nothing in it steers a terminal."""
    try:
        return printable_lines("".join(traceback.format_exception(error)))
    except Exception:  # noqa: BLE001 - its text is anybody's code
        return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__, "\n"])


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob(_PATTERN), key=lambda path: path.name)
    for path in files[:-MOST_FILES]:
        with suppress(OSError):
            path.unlink()
