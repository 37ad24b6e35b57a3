"""Where a command's reports go: a file, or standard output; and what it says beside them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from pipeline.whole_files import write_text_whole


def write_text(path: str, text: str) -> None:
    """Writes a file, or to standard output for `-`. Raises TexelscopeError for a file that cannot be written."""
    if path == "-":
        sys.stdout.write(text)
        return
    write_text_whole(Path(path), text)


def say(line: str) -> None:
    """A line on standard error, beside the report."""
    print(f"texelscope: {line}", file=sys.stderr)


def terminal_width() -> int | None:
    """Columns of the terminal that standard output is; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
