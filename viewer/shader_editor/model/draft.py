"""Holds a shader's text while it is edited, beside the contents of its file; without the editor's widget.

The program notices a save later than the user: until the file was read again, the plan still holds the old text. That
must not look like a change by another program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from texelscope.pipeline.plan import SourceFile
from texelscope.viewer.shader_editor.model.trial import TextOfTrial


@dataclass
class Draft:
    """One text being edited: a user's file (`path`), or a built-in file that is tried in the pass called `name`.

    `base` is the saved text, and `clean` the same as the editor returns it (with a line end at the end); `text` is the
    editor's text. `other` is what another program saved while there were unsaved changes. `tried` are edits in the text
    that passes run unsaved.
    """

    label: str
    base: str
    clean: str
    path: Path | None = None
    name: str = ""
    file: SourceFile | None = None
    text: str = ""
    other: str | None = None
    tried: TextOfTrial | None = None
    _replaced: set[str] = field(default_factory=set)

    @property
    def is_changed(self) -> bool:
        """Whether the editor's text differs from the saved one."""
        return self.text != self.clean

    @property
    def is_held(self) -> bool:
        """Whether the editor can represent the text: a save would lose what it cannot."""
        return _same(self.base, self.clean)

    def taken(self, base: str, clean: str) -> None:
        """Records that the editor shows `base` from now on, which it returns as `clean`."""
        self.base, self.clean, self.text, self.other = base, clean, clean, None

    def saved(self, text: str) -> None:
        """Records that `text` is saved now; the plan may still show the old text for a while."""
        self._replaced.add(self.base)
        self.base = self.clean = text
        self.other = self.tried = None

    def follow(self, shown: str) -> bool:
        """Compares with the plan's present text; True if the editor should load that text."""
        if shown == self.base:
            self._replaced.clear()
            self.other = None
            return False
        if shown in self._replaced:
            return False
        if _same(shown, self.text):
            self.base, self.clean, self.other = shown, self.text, None
            return False
        if not self.is_changed:
            return True
        if self.path is None:  # the pass runs another text; no file has changed
            self.base = self.clean = shown
        else:
            self.other = shown
        return False

    def keep_mine(self) -> None:
        """Keeps the editor's text; the next save overwrites the other program's version."""
        if self.other is not None:
            self.base = self.clean = self.other
            self.other = None


def _same(one: str, other: str) -> bool:
    """Returns whether two texts are equal but for the last line's end, which the editor always adds."""
    return one == other or one + "\n" == other
