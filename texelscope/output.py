"""Writes a command's reports to a file or standard output, and its messages to standard error."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from texelscope.layouts.outside_text import one_line, printable_lines
from texelscope.pipeline.atomic_files import write_text_whole


def write_text(path: str, text: str) -> None:
    """Writes a file, or to standard output for `-`, in UTF-8. Raises TexelscopeError if the file cannot be written."""
    if path == "-":
        sys.stdout.flush()
        if isinstance(sys.stdout, io.TextIOWrapper):  # a program reads it, whatever letters the console has
            sys.stdout.buffer.write(text.encode())
        else:
            sys.stdout.write(text)
        return
    write_text_whole(Path(path), text)


def show(text: str) -> None:
    """Prints a table or a sentence to standard output; nothing in it steers a terminal."""
    print(printable_lines(text))


# Clears a terminal and goes to its top; what was printed before stays in its history.
_CLEAR = "\x1b[2J\x1b[H"


def show_screen(text: str) -> None:
    """Shows a text as all that a terminal has on it; a file or a pipe gets it below the one before."""
    print(_CLEAR if sys.stdout.isatty() else "", end="")
    show(text if sys.stdout.isatty() else f"{text}\n")
    sys.stdout.flush()


def terminal_height() -> int | None:
    """Returns the lines of the terminal on standard output; None for a file or a pipe."""
    return shutil.get_terminal_size().lines if sys.stdout.isatty() else None


def say(line: str) -> None:
    """Prints a message on standard error, beside the report; each of its lines is labelled."""
    lines = "\n".join(map(one_line, line.split("\n")))
    print(f"texelscope: {lines}", file=sys.stderr)


def terminal_width() -> int | None:
    """Returns the columns of the terminal on standard output; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
