"""Where a command's reports go: a file, or standard output; and what it says beside them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from texelscope.layouts.outside_text import one_line, printable_lines
from texelscope.pipeline.atomic_files import write_text_whole


def write_text(path: str, text: str) -> None:
    """Writes a file, or to standard output for `-`. Raises TexelscopeError for a file that cannot be written."""
    if path == "-":
        sys.stdout.write(text)
        return
    write_text_whole(Path(path), text)


def show(text: str) -> None:
    """A table or a sentence on standard output, a line or several; nothing in it steers a terminal."""
    print(printable_lines(text))


def say(line: str) -> None:
    """A line on standard error, beside the report; one each for what was said in several."""
    lines = "\n".join(map(one_line, line.split("\n")))
    print(f"texelscope: {lines}", file=sys.stderr)


def terminal_width() -> int | None:
    """Columns of the terminal that standard output is; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
