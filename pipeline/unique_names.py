"""Makes names unique within a set, and turns them into file names."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A file's name takes so many letters of a name: file systems take 255 bytes, with folder, number and ending.
MOST_STEM = 80
# Windows takes these for devices, with any ending.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE | re.ASCII)


class UniqueNames:
    """Hands names out, each once: a second `conv` becomes `conv#2`."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def give(self, name: str) -> str:
        """Returns `name`, or the first of `name#2`, `name#3` … that is free."""
        unique, count = name, 1
        while unique in self._given:
            count += 1
            unique = f"{name}#{count}"
        self._given.add(unique)
        return unique

    def take_back(self, name: str) -> None:
        """Frees `name` for the next caller."""
        self._given.discard(name)


def file_stem(name: str, otherwise: str) -> str:
    """Returns a file name, without ending, after `name`: it stays in its folder, and every file system takes it.

    Letters other than A-Z, a-z, 0-9, `.`, `_` and `-` become `_`, and `otherwise` stands where nothing is left.
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._-")
    if len(plain) > MOST_STEM:  # the middle is left out: names of a block differ at their ends
        head = MOST_STEM * 2 // 3
        plain = f"{plain[:head].rstrip('._-')}__{plain[len(plain) - (MOST_STEM - head - 2) :].lstrip('._-')}"
    return f"_{plain}" if _DEVICES.match(plain) else plain or otherwise


def file_stems(names: Iterable[str], otherwise: str) -> dict[str, str]:
    """Returns by name a file stem that is unique, whether or not a file system distinguishes case."""
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        stem = unique = file_stem(name, otherwise)
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{stem}_{number}"
        taken.add(unique.casefold())
        stems[name] = unique
    return stems
