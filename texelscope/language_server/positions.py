"""Converts between an editor's positions and letters of a text, and between its URIs and paths."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from texelscope.pipeline.compare.repairs import TextReplacement


def path_of(uri: str) -> Path | None:
    """Returns the absolute path of a file's URI, links followed; None for another kind of URI."""
    if uris.uri_scheme(uri) != "file":
        return None
    path = uris.to_fs_path(uri)
    try:
        return Path(path).resolve() if path else None
    except (OSError, RuntimeError, ValueError):
        return None


def uri_of(path: Path) -> str:
    """Returns the URI of a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


class TextPositions:
    """The positions of one text, as a client counts them."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._lines = text.splitlines(keepends=True) or [""]
        self._codec = codec
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def letter(self, position: types.Position) -> int:
        """Returns the number of the letter at a position; the nearest where the text is shorter."""
        if position.line >= len(self._lines):
            return self._starts[-1]
        own = self._codec.position_from_client_units(self._lines, position)
        return min(self._starts[own.line] + own.character, self._starts[-1])

    def line(self, letter: int) -> int:
        """Returns the line of a letter, from 1."""
        return self._place(letter).line + 1

    def between(self, start: int, stop: int) -> types.Range:
        """Returns the range of the letters from one number to the one before another."""
        return self._range(self._place(start), self._place(stop))

    def whole_line(self, line: int) -> types.Range:
        """Returns the range of what a line (from 1) says, without the blanks around it."""
        number = min(max(line, 1), len(self._lines)) - 1
        text = self._lines[number].rstrip()
        first = len(text) - len(text.lstrip())
        return self._range(types.Position(number, first), types.Position(number, len(text)))

    def replaced(self, change: TextReplacement) -> types.Range:
        """Returns the range that a change replaces."""
        return self._range(*(types.Position(line - 1, column - 1) for line, column in (change.start, change.stop)))

    def _place(self, letter: int) -> types.Position:
        line = next((number for number, start in enumerate(self._starts[1:]) if letter < start), len(self._lines) - 1)
        return types.Position(line, letter - self._starts[line])

    def _range(self, start: types.Position, stop: types.Position) -> types.Range:
        convert = self._codec.position_to_client_units
        lines = [*self._lines, ""] if stop.line >= len(self._lines) else self._lines
        return types.Range(convert(lines, start), convert(lines, stop))
