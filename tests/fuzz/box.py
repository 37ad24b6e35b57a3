"""The folder that a case is run in, with canaries beside it: what is read or written where it should not be is seen."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.case import CASE, OUT, OUTSIDE, Case

# What only a file outside of the case says, so that an answer which has it has read there.
MARK = "canary-4711-of-another-folder"
# The text that foreign code writes if it is run.
RAN = "ran"
HOME, TEMPORARY = "home", "tmp"
# Where a program may keep its own things.
OWN = tuple(f"{HOME}/{place}/" for place in (".cache", ".config", ".local"))


class Box:
    """`case/` holds the files, `out/` takes what is written; the working directory is the box itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: dict[str, tuple[int, int, int]] = {}

    def environment(self) -> dict[str, str]:
        """Variables that keep a program's own places inside."""
        return {
            "HOME": str(self.folder / HOME),
            "TMPDIR": str(self.folder / TEMPORARY),
            **{f"XDG_{name}_HOME": "" for name in ("CACHE", "CONFIG", "DATA", "STATE")},
        }

    def fill(self, case: Case) -> None:
        """Empties it and puts the case into it."""
        self.empty()
        for name in (CASE, OUT, OUTSIDE, HOME, TEMPORARY):
            (self.folder / name).mkdir(parents=True)
        (self.folder / OUTSIDE / "secret.txt").write_text(f"{MARK}\n")
        (self.folder / OUTSIDE / "secret.frag").write_text(f"#version 330\n#error {MARK}\n")
        (self.folder / OUTSIDE / "secret.bin").write_bytes(MARK.encode().ljust(4096, b"-"))
        case.write(self.folder / CASE)
        self._written = dict(self._entries())

    def empty(self) -> None:
        """Nothing is left in it, rights or not."""
        if self.folder.exists():
            shutil.rmtree(self.folder)

    def strays(self) -> list[str]:
        """Returns what was made, changed or removed where nothing should have been."""
        now = dict(self._entries())
        allowed = (f"{OUT}/", *OWN)
        touched = [name for name, about in now.items() if self._written.get(name) != about]
        gone = [name for name in self._written if name not in now]
        return sorted(
            name for name in (*touched, *gone) if not f"{name}/".startswith(allowed) and not _on_the_way(name)
        )

    def unfinished(self) -> list[str]:
        """Files of `out/` under the name that they have until they are whole."""
        return sorted(name for name in self.outputs() if name.endswith(".new") or "/." in f"/{name}")

    def outputs(self) -> list[str]:
        """Returns paths of all files below `out/`."""
        return [name.removeprefix(f"{OUT}/") for name, _ in self._entries() if name.startswith(f"{OUT}/")]

    def ran(self) -> bool:
        """Whether code of a case was run."""
        return (self.folder / OUTSIDE / RAN).exists()

    def read_outside(self) -> list[str]:
        """Files of `out/` which hold what lies outside of the case."""
        mark = MARK.encode()
        found = []
        for name in self.outputs():
            path = self.folder / OUT / name
            if (
                path.is_file()
                and not path.is_symlink()
                and path.stat().st_size < 64 << 20
                and mark in path.read_bytes()
            ):
                found.append(name)
        return found

    def logs(self) -> str:
        """Returns the text of what the program logged in its own place."""
        files = [path for path in (self.folder / HOME).rglob("*") if path.suffix in (".log", ".txt") and path.is_file()]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)

    def _entries(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """Returns the path below the box and, but for folders, what shows a change: kind, size, time."""
        for parent, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                path = os.path.join(parent, name)  # noqa: PTH118 - names that are no text
                about = os.lstat(path)
                is_folder = stat.S_ISDIR(about.st_mode)
                seen = (0, 0, 0) if is_folder else (about.st_mode, about.st_size, about.st_mtime_ns)
                yield os.path.relpath(path, self.folder), seen


def _on_the_way(name: str) -> bool:
    return any(own.startswith(f"{name}/") for own in OWN)
