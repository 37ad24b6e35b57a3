"""Holds kept diagnoses in a folder, a file each; where they become too many, those not used for longest go.

Nothing in the folder is required: a file that cannot be read or understood is removed, and one that cannot be written
is only missing later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.kept_diagnoses.data import KeptDiagnosis, as_text, of_text
from texelscope.pipeline.untrusted_files import read_text

# A diagnosis takes some kilobytes; one with many long lines is not worth more than this.
MOST_BYTES_OF_ONE = 1 << 18
MOST_BYTES, MOST_FILES = 8 << 20, 1000
_ENDING = ".json"


class KeptDiagnoses:
    """The diagnoses in a folder, by their keys."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
        self._folder = folder
        self._most_bytes, self._most_files = most_bytes, most_files

    def get(self, key: str) -> KeptDiagnosis | None:
        """Returns the diagnosis that is kept under a key; None without one."""
        path = self._folder / f"{key}{_ENDING}"
        if not path.is_file():
            return None
        try:
            found = of_text(read_text(path, most=MOST_BYTES_OF_ONE), path.name)
        except TexelscopeError:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # it is among the last to go
        return found

    def keep(self, key: str, kept: KeptDiagnosis) -> None:
        """Writes a diagnosis under a key, and removes the oldest files where they are too many or too large."""
        text = as_text(kept)
        if len(text.encode(errors="backslashreplace")) > MOST_BYTES_OF_ONE:
            return
        with suppress(OSError, TexelscopeError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_text_whole(self._folder / f"{key}{_ENDING}", text, lasting=False)
            self._shrink(self._folder)

    def _shrink(self, folder: Path) -> None:
        known = []
        for path in folder.glob(f"*{_ENDING}"):
            with suppress(OSError):  # another window removed it
                state = path.stat()
                known.append((state.st_mtime_ns, state.st_size, path))
        size_bytes = sum(size for _, size, _ in known)
        known.sort(key=lambda each: each[0])
        for position, (_, size, path) in enumerate(known):
            if size_bytes <= self._most_bytes and len(known) - position <= self._most_files:
                return
            size_bytes -= size
            with suppress(OSError):
                path.unlink()
