"""Names shader files as editors do: the author's own by path, any other text by a number, under which it is sent."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from texelscope.pipeline.debug_adapter.arguments import Arguments
from texelscope.pipeline.debug_adapter.recording import SteppedText


@dataclass(frozen=True)
class ClientPlaces:
    """Says how a client counts lines, from 0 or 1, and whether it writes paths as URIs."""

    first_line: int = 1
    uses_uris: bool = False

    def path(self, path: Path) -> str:
        """Returns a path as the client writes it."""
        return path.as_uri() if self.uses_uris else str(path)

    def own_path(self, text: str) -> str:
        """Returns the path that a client wrote, in the form in which two paths are compared."""
        if text.startswith("file:"):
            text = url2pathname(unquote(urlparse(text).path)) if os.name == "posix" else url2pathname(text[5:])
        return os.path.normcase(os.path.realpath(text)) if "\0" not in text else text

    def line(self, number: int) -> int:
        """Returns a line, from 1, as the client counts it."""
        return number - 1 + self.first_line

    def own_line(self, number: int) -> int:
        """Returns the line, from 1, that a client means."""
        return number + 1 - self.first_line


class ClientSources:
    """The files of one shader, as a client knows them."""

    def __init__(self, texts: Sequence[SteppedText], places: ClientPlaces) -> None:
        self._texts = tuple(texts)
        self._places = places

    def source(self, name: str) -> dict[str, Any]:
        """Returns the Source object of a file, by its name in the trace."""
        number, text = next(
            ((number, each) for number, each in enumerate(self._texts, 1) if each.name == name), (0, None)
        )
        short = PurePosixPath(name).name or name
        if text is None:
            return {"name": short}
        if text.path is not None:
            return {"name": short, "path": self._places.path(text.path)}
        return {
            "name": short, "sourceReference": number, "origin": "built in or generated", "presentationHint": "normal"
        }  # fmt: skip

    def all(self) -> list[dict[str, Any]]:
        """Returns the Source object of every file."""
        return [self.source(text.name) for text in self._texts]

    def meant(self, source: Arguments) -> SteppedText | None:
        """Returns the file that a Source object of the client means; None if it is none of the shader's."""
        number, path = source.number("sourceReference", 0), source.text("path", "")
        if number:
            return self._texts[number - 1] if 0 < number <= len(self._texts) else None
        if path:
            wanted = self._places.own_path(path)
            own = (each for each in self._texts if each.path is not None)
            return next((each for each in own if self._places.own_path(str(each.path)) == wanted), None)
        name = source.text("name", "")
        return next((each for each in self._texts if name in (each.name, PurePosixPath(each.name).name)), None)
