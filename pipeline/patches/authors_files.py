"""The files of a target's folder as their author has them: what a patch is against."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.compare.unified_diff import unified_files
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.untrusted_files import read_bytes


class AuthorsFiles:
    """The files below the folder that a target lies in (or is), each read once, with its own line ends."""

    def __init__(self, target: str | Path) -> None:
        start = Path(target).resolve()
        self._folder = Folder(start if start.is_dir() else start.parent)
        self._texts: dict[str, str | None] = {}

    def takes(self, edits: Sequence[LineEdit]) -> bool:
        """Whether each of the edits finds its line, as it was, in a file of the folder."""
        return unified_files(edits, self._text) is not None

    def diff(self, edits: Sequence[LineEdit]) -> str:
        """The unified diff of edits that the files take; paths are relative to the folder."""
        return unified_files(edits, self._text) or ""

    def _text(self, path: str) -> str | None:
        """What the file holds; None where there is none of that name inside the folder, or no text."""
        if path not in self._texts:
            try:
                self._texts[path] = read_bytes(self._folder.file(path), inside=self._folder.path).decode()
            except (TexelscopeError, UnicodeDecodeError):
                self._texts[path] = None
        return self._texts[path]
