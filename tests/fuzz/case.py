"""One bad file with what it needs beside it, and the command that is given it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

# Where things lie in the folder that a case is run in, as its words name them.
CASE, OUT, OUTSIDE = "case", "out", "outside"


@dataclass(frozen=True)
class Link:
    """Makes a symbolic link, to wherever."""

    to: str


@dataclass(frozen=True)
class Fifo:
    """Makes a pipe with nobody at its other end."""


@dataclass(frozen=True)
class Hole:
    """A file of so many zeros that takes no room."""

    size_bytes: int


@dataclass(frozen=True)
class Folder:
    """Makes a folder with nothing in it."""


Content = bytes | Link | Fifo | Hole | Folder
# `command`: the command line in this process. `bundle`: what the window does with one. `process`: a new interpreter.
Entry = Literal["command", "bundle", "process"]


@dataclass(frozen=True)
class Case:
    """`files` by path below `case/`; `words` name them by `case/…`. `settings` are variables and stdout of a process.

    `codes` are exit codes that are right beside 0, 1 and 2. `leads_outside`: the words themselves say so, and may.
    """

    what: str
    files: Mapping[str, Content]
    words: tuple[str, ...]
    entry: Entry = "command"
    settings: Mapping[str, str] = field(default_factory=dict)
    codes: frozenset[int] = frozenset()
    leads_outside: bool = False

    def write(self, folder: Path) -> None:
        """Puts the files below `folder`, which is there; what a file system does not take is left out."""
        for name, content in self.files.items():
            path = folder / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                put(path, content)
            except (OSError, ValueError):
                continue


def put(path: Path, content: Content) -> None:
    """Makes one of them. Raises OSError or ValueError for a name that is none."""
    match content:
        case bytes():
            path.write_bytes(content)
        case Link():
            path.symlink_to(content.to)
        case Fifo():
            os.mkfifo(path)
        case Hole():
            with path.open("wb") as file:
                file.truncate(content.size_bytes)
        case Folder():
            path.mkdir()
