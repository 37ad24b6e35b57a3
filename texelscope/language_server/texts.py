"""Holds the texts of files as an editor shows them: typed ones, and others as they are saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import is_file, read_text


@dataclass(frozen=True)
class EditorTexts:
    """The texts at one moment: those of open documents by absolute path, links followed; the others are on disk."""

    opened: Mapping[Path, str]
    _read: dict[Path, str | None] = field(default_factory=dict, compare=False)

    def text(self, path: Path) -> str | None:
        """Returns a file's text; None where it is none."""
        if path in self.opened:
            return self.opened[path]
        if path not in self._read:
            self._read[path] = _saved(path)
        return self._read[path]

    def unsaved(self) -> dict[Path, str]:
        """Returns the open documents that differ from their files, which exist."""
        return {path: text for path, text in self.opened.items() if _saved(path) not in (None, _plain(text))}


def _saved(path: Path) -> str | None:
    if not is_file(path):
        return None
    try:
        return read_text(path)
    except TexelscopeError:
        return None


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
