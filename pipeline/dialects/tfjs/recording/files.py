"""The files of a recording: in a folder, or in the zip archive that the recorder lets a page download.

Nothing is unpacked: members are read by name, and never more bytes of one than were asked for.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files import is_folder, opened, read_bytes, resolved, size_of
from texelscope.pipeline.untrusted_files.archives import opened_archive

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
        with opened(self._folder.file(path), f"'{path}'", inside=self.root) as file:
            return size_of(file)

    def read(self, path: str, size_bytes: int) -> bytes:
        return read_bytes(self._folder.file(path), f"'{path}'", inside=self.root)[:size_bytes]

    def on_disk(self, path: str) -> Path | None:
        return self._folder.file(path)

    def close(self) -> None:
        """A folder is held by nobody."""


class ZipFiles:
    """Members of an archive; what is asked for is looked up by its name, so that no path leads anywhere."""

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
        """Lets go of the archive."""
        self._opened.close()


def files_of(target: Path) -> Files:
    """The files of a recording's folder, of the manifest in it, or of an archive."""
    target = resolved(target, what="a recording")
    if is_folder(target):
        return FolderFiles(target)
    return FolderFiles(target.parent) if target.name == MANIFEST else ZipFiles(target)


def text_of(files: Files, path: str, most_bytes: int | None = None) -> str:
    """The UTF-8 text of a file. Raises TexelscopeError for a large file or other bytes."""
    size_bytes = files.size_bytes(path)
    if most_bytes is None:
        hold(f"'{path}'", "text_bytes", size_bytes)
    elif size_bytes > most_bytes:
        raise TexelscopeError(f"'{path}'", f"at most {most_bytes} bytes of text", str(size_bytes), _AGAIN)
    try:
        return files.read(path, size_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TexelscopeError(f"'{path}'", "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8.") from error
