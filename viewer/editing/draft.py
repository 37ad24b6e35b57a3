"""A shader's text as somebody edits it, beside what its file holds; without the widget that it is typed into.

A save is seen by the program later than by the person who saved: until the file was read again, the plan still holds
the text from before. That is no other program's doing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from texelscope.pipeline.plan import SourceFile
from texelscope.viewer.editing.trial import TextOfTrial


@dataclass
class Draft:
    """One text being edited: a user's file (`path`), or a file of the program's, tried in the pass called `name`.

    `base` is what is known to be kept, and `clean` the same as the editor gives it back (with a line end at the end);
    `text` is what the editor shows. `other` is what another program saved beside changes that are not saved. `tried`
    are edits in it that passes run unsaved.
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
        """Whether the editor shows something that is not kept."""
        return self.text != self.clean

    @property
    def is_held(self) -> bool:
        """Whether the editor can hold the text: what it cannot would be lost by a save."""
        return _same(self.base, self.clean)

    def taken(self, base: str, clean: str) -> None:
        """The editor shows `base` from now on, which it gives back as `clean`."""
        self.base, self.clean, self.text, self.other = base, clean, clean, None

    def saved(self, text: str) -> None:
        """`text` is what is kept from now on; what was before may still be shown for a while."""
        self._replaced.add(self.base)
        self.base = self.clean = text
        self.other = self.tried = None

    def follow(self, shown: str) -> bool:
        """Hears what the plan holds now; True if the editor is to take that up in place of its text."""
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
        if self.path is None:  # the pass runs another text; nobody's file has changed
            self.base = self.clean = shown
        else:
            self.other = shown
        return False

    def keep_mine(self) -> None:
        """What the other program saved is known; the next save replaces it."""
        if self.other is not None:
            self.base = self.clean = self.other
            self.other = None


def _same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but the last line's end, which the editor always writes."""
    return one == other or one + "\n" == other
