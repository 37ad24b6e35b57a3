"""A fault of this program: one line for who works with it, and a file with all that mending it takes.

The files lie in the place that the system has for a user's state (`XDG_STATE_HOME`), the newest twenty of them.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
import traceback
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from texelscope.layouts.outside_text import printable_lines
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.crash_report.recent import recent_lines
from texelscope.pipeline.crash_report.versions import package_lines, program_lines
from texelscope.pipeline.errors import TexelscopeError, error_line, said_by

# So many files are kept, the newest.
MOST_FILES = 20
_PATTERN = "fault-*.log"


def told(who: str, error: BaseException) -> str:
    """One line on an error: its own if a user can cause it, else that of a fault, which is written to a file."""
    if isinstance(error, MemoryError):
        return error_line(who, "enough memory", "none", "Use smaller shapes.")
    return str(error) if isinstance(error, TexelscopeError) else fault(who, error)


def fault(who: str, error: BaseException) -> str:
    """The line of a fault, which says where the whole of it is written; `who` is what failed."""
    path = write_fault(who, error)
    where = f"All of it is in {path}; please report it with that." if path is not None else "--debug shows all of it."
    return error_line(who, "no fault of this program", said_by(error, with_type=True), where)


def write_fault(who: str, error: BaseException) -> Path | None:
    """Writes what is known of it; None where no file can be written."""
    name = f"fault-{datetime.now().astimezone():%Y%m%d-%H%M%S.%f}-{os.getpid()}.log"
    try:
        path = fault_folder() / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text_whole(path, _text(who, error))
        _forget_oldest(path.parent)
    except (OSError, RuntimeError, TexelscopeError):  # no home, or a full disk: the line has to do
        return None
    return path


def fault_folder() -> Path:
    """Where they lie. Raises RuntimeError for a user without a home."""
    given = Path(os.environ.get("XDG_STATE_HOME") or "")
    if given.is_absolute():
        return given / "texelscope"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Logs" / "texelscope"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "texelscope" / "logs"
    return Path.home() / ".local" / "state" / "texelscope"


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
    """The traceback of an error, also of one that cannot say what it is; nothing in it steers a terminal."""
    try:
        return printable_lines("".join(traceback.format_exception(error)))
    except Exception:  # noqa: BLE001 - its text is anybody's code
        return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__, "\n"])


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob(_PATTERN), key=lambda path: path.name)
    for path in files[:-MOST_FILES]:
        with suppress(OSError):
            path.unlink()
