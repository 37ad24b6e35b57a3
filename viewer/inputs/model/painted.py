"""Keeps pictures painted into inputs, and their strokes for undo."""

from __future__ import annotations

import tempfile
from pathlib import Path

from texelscope.pipeline.atomic_files import write_array_whole
from texelscope.viewer.document.document import Document
from texelscope.viewer.inputs.model.strokes import PaintedStrokes, Planes


class Painted:
    """Paints into inputs through files, so that another layout can be opened with the same picture."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._number = 0
        self._strokes: dict[str, PaintedStrokes] = {}
        self._last = self._source = ""

    def about(self, source: str) -> str:
        """Describes the input's source, if it is what was painted last; else empty."""
        return "painted here" if source and source == self._source else ""

    def strokes(self, name: str) -> PaintedStrokes:
        """Returns the strokes on the input of that name."""
        return self._strokes.setdefault(name, PaintedStrokes())

    def paint(self, document: Document, name: str, before: Planes, after: Planes) -> None:
        """Sets the input to the result of a stroke."""
        self.strokes(name).add(before, after)
        self._set(document, name, after)

    def step(self, document: Document, name: str | None, *, forward: bool) -> bool:
        """Undoes or redoes a stroke on an input, by default on the one painted last.

        Returns False if there is none. Strokes are forgotten once the input was set to something else.
        """
        name = name or self._last
        strokes = self._strokes.get(name)
        session = document.session
        if strokes is None or session is None or name not in session.plan.inputs:
            return False
        now = document.present(name)
        if now is None or strokes.planes is None or not strokes.goes_with(now.reshape(strokes.planes.shape)):
            strokes.clear()
            return False
        planes = strokes.redo() if forward else strokes.undo()
        if planes is None:
            return False
        self._set(document, name, planes)
        return True

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _set(self, document: Document, name: str, planes: Planes) -> None:
        assert document.session is not None
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
        path = Path(self._folder.name) / f"painted{self._number % 2}.npy"
        self._number += 1
        self._last = name
        shape = document.session.plan.textures[name].shape
        write_array_whole(path, planes.reshape(shape), lasting=False)
        self._source = str(path)
        document.set_input(name, self._source)
