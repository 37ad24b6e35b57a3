"""`install-desktop-entry` puts the window into the applications menu of a Linux desktop."""

from __future__ import annotations

import argparse

from texelscope.output import show
from texelscope.pipeline.errors import one_line

HELP = "put Texelscope into the applications menu (Linux), or take it out again"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("--remove", action="store_true", help="remove the entry and its icon")


def run(options: argparse.Namespace) -> int:
    """Writes or removes the entry and its icon; returns 0."""
    from texelscope.desktop_entry import check_system, command_of_this_program, entry_files, install, remove

    command = command_of_this_program()
    check_system(command)
    files = entry_files()
    if options.remove:
        removed = remove(files)
        lines = [f"removed {path}" for path in removed] or [f"there is no entry: {files.entry}"]
    else:
        install(files, command)
        lines = [f"written {path}" for path in files.both]
        lines.append("Texelscope is in the applications menu; --remove takes it out.")
    show("\n".join(map(one_line, lines)))
    return 0
