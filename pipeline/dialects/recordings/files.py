"""Reads the files of a recording: from a folder, or from the zip archive that the recorder downloads.

Nothing is unpacked: members are read by name, and never more bytes than requested.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files import is_folder, opened, read_bytes, resolved, size_of
from texelscope.pipeline.untrusted_files.archives import opened_archive

# A larger manifest is some other file: a program's entry takes about one thousand bytes.
MAX_MANIFEST_BYTES = 64 << 20
_AGAIN = "Record it again."


class Files(Protocol):
    """Gives access to a recording's files; messages call it `name`, `root` is the folder or archive itself."""

    name: str
    root: Path

    def size_bytes(self, path: str) -> int:
        """Returns a file's size, by its path in the recording. Raises TexelscopeError for a missing file."""

    def read(self, path: str, size_bytes: int) -> bytes:
        """Reads the first bytes of a file."""

    def on_disk(self, path: str) -> Path | None:
        """Returns the file's absolute path; None in an archive."""

    def close(self) -> None:
        """Closes the files; nothing is read afterwards."""


class FolderFiles:
    """Reads files of a folder; no path leads out of it."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.root = root
        self._folder = Folder(root, "recording")

    def size_bytes(self, path: str) -> int:
        with opened(self._folder.file(path), f"'{path}'", inside=self.root) as file:
            return size_of(file)

    def read(self, path: str, size_bytes: int) -> bytes:
        return read_bytes(self._folder.file(path), f"'{path}'", inside=self.root)[:size_bytes]

    def on_disk(self, path: str) -> Path | None:
        return self._folder.file(path)

    def close(self) -> None:
        """Does nothing: a folder needs no closing."""


class ZipFiles:
    """Reads members of an archive by name, so that no path leads out of it."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.root = root
        self._opened = ExitStack()
        self._archive = self._opened.enter_context(opened_archive(root, self.name, do_next=_AGAIN))
        self._sizes = {name: member.file_size for name, member in self._archive.members.items()}

    def size_bytes(self, path: str) -> int:
        if path not in self._sizes:
            raise TexelscopeError(
                f"'{path}'", f"a file in {self.name}", "none of that name", nearest(path, self._sizes)
            )
        return self._sizes[path]

    def read(self, path: str, size_bytes: int) -> bytes:
        self.size_bytes(path)
        return self._archive.read(path, size_bytes)

    def on_disk(self, path: str) -> Path | None:
        return None

    def close(self) -> None:
        """Closes the archive."""
        self._opened.close()


def files_of(target: Path, manifest: str) -> Files:
    """Opens a recording's folder, the manifest in it, or an archive."""
    target = resolved(target, what="a recording")
    if is_folder(target):
        return FolderFiles(target)
    return FolderFiles(target.parent) if target.name == manifest else ZipFiles(target)


def numbers_of(files: Files, path: str, size: tuple[int, int, int], kind: np.dtype[Any]) -> NDArray[Any]:
    """Returns the numbers of a texture of that width, height and lanes, as [height, width, lanes] of a dtype.

    Raises TexelscopeError for a file of another size.
    """
    width, height, lanes = size
    wanted, size_bytes = width * height * lanes * kind.itemsize, files.size_bytes(path)
    if size_bytes != wanted:
        raise TexelscopeError(f"'{path}'", f"{wanted} bytes of {width}x{height} texels", str(size_bytes), _AGAIN)
    return np.frombuffer(files.read(path, wanted), dtype=kind).reshape(height, width, lanes)


def text_of(files: Files, path: str, most_bytes: int | None = None) -> str:
    """Reads the UTF-8 text of a file. Raises TexelscopeError for a large file or other bytes."""
    size_bytes = files.size_bytes(path)
    if most_bytes is None:
        hold(f"'{path}'", "text_bytes", size_bytes)
    elif size_bytes > most_bytes:
        raise TexelscopeError(f"'{path}'", f"at most {most_bytes} bytes of text", str(size_bytes), _AGAIN)
    try:
        return files.read(path, size_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TexelscopeError(f"'{path}'", "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8.") from error
