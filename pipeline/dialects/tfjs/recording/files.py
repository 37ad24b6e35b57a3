"""The files of a recording: in a folder, or in the zip archive that the recorder lets a page download.

Nothing is unpacked: members are read by name, and never more bytes of one than were asked for.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Protocol

from pipeline.dialects.tfjs.recording.kinds import BROKEN, MANIFEST
from pipeline.errors import TexelscopeError, nearest
from pipeline.pipeline_file.folder import MAX_TEXT_BYTES, Folder

# A manifest above this many bytes is something else by mistake: a program's entry takes about one thousand.
MAX_MANIFEST_BYTES = 64 << 20
_AGAIN = "Record it again."


class Files(Protocol):
    """Where a recording's files are; `name` is what messages call it, `root` the folder or archive itself."""

    name: str
    root: Path

    def size_bytes(self, path: str) -> int:
        """Of a file, by its path in the recording. Raises TexelscopeError where there is none."""

    def read(self, path: str, size_bytes: int) -> bytes:
        """The first bytes of a file."""

    def on_disk(self, path: str) -> Path | None:
        """The file itself, absolute; None in an archive."""

    def close(self) -> None:
        """Nothing is read afterwards."""


class FolderFiles:
    """Files of a folder; no path leads out of it."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.root = root
        self._folder = Folder(root, "recording")

    def size_bytes(self, path: str) -> int:
        return self._folder.file(path).stat().st_size

    def read(self, path: str, size_bytes: int) -> bytes:
        with self._folder.file(path).open("rb") as file:
            return file.read(size_bytes)

    def on_disk(self, path: str) -> Path | None:
        return self._folder.file(path)

    def close(self) -> None:
        """A folder is held by nobody."""


class ZipFiles:
    """Members of an archive; what is asked for is looked up by its name, so that no path leads anywhere."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.root = root
        try:
            self._archive = zipfile.ZipFile(root)
        except FileNotFoundError as error:
            raise TexelscopeError(self.name, "a zip archive", "no such file", "Check the path.") from error
        except BROKEN as error:
            raise TexelscopeError(self.name, "a zip archive that can be read", str(error), _AGAIN) from error
        self._sizes = {member.filename: member.file_size for member in self._archive.infolist()}

    def size_bytes(self, path: str) -> int:
        if path not in self._sizes:
            raise TexelscopeError(
                f"'{path}'", f"a file in {self.name}", "none of that name", nearest(path, self._sizes)
            )
        return self._sizes[path]

    def read(self, path: str, size_bytes: int) -> bytes:
        self.size_bytes(path)
        try:
            with self._archive.open(path) as file:
                return file.read(size_bytes)
        except BROKEN as error:
            raise TexelscopeError(f"'{path}'", f"a file in {self.name} that can be read", str(error), _AGAIN) from error

    def on_disk(self, path: str) -> Path | None:
        return None

    def close(self) -> None:
        """Lets go of the archive."""
        self._archive.close()


def files_of(target: Path) -> Files:
    """The files of a recording's folder, of the manifest in it, or of an archive."""
    target = target.resolve()
    if target.is_dir():
        return FolderFiles(target)
    return FolderFiles(target.parent) if target.name == MANIFEST else ZipFiles(target)


def text_of(files: Files, path: str, most_bytes: int = MAX_TEXT_BYTES) -> str:
    """The UTF-8 text of a file. Raises TexelscopeError for a large file or other bytes."""
    size_bytes = files.size_bytes(path)
    if size_bytes > most_bytes:
        raise TexelscopeError(f"'{path}'", f"at most {most_bytes} bytes of text", str(size_bytes), _AGAIN)
    try:
        return files.read(path, size_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TexelscopeError(f"'{path}'", "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8.") from error
