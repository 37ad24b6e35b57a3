"""Keeps all texts that are being edited, and those that passes run though no file holds them."""

from __future__ import annotations

from pathlib import Path

from texelscope.viewer.shader_editor.model.draft import Draft
from texelscope.viewer.shader_editor.model.trial import Trial, Writing

# The key of a user's file, of a built-in file in one pass, or of a read-only text.
Key = tuple[str, ...]
# A pass, the path of one of its files in the plan, and that file's text.
Text = tuple[str, str, str]
Stamp = tuple[int, int]


class Drafts:
    """Drafts by key, until another target is opened.

    `tried` are texts that passes run in place of a built-in file, by pass and file. `typed` are texts from a bundle
    that were typed but not tried, until their pass is shown. `kept` are the texts of either kind in the bundle.
    `stamps` are those of an opened bundle's files when they were last saved into it. `writing` is what editors load
    when they are shown next.
    """

    def __init__(self) -> None:
        self._drafts: dict[Key, Draft] = {}
        self.tried: dict[tuple[str, str], str] = {}
        self.typed: dict[tuple[str, str], str] = {}
        self.kept: frozenset[Text] = frozenset()
        self.stamps: dict[Path, Stamp] = {}
        self.writing: list[Writing] = []

    def add(self, key: Key, draft: Draft) -> Draft:
        """Adds a text that is being edited."""
        self._drafts[key] = draft
        return draft

    def get(self, key: Key) -> Draft | None:
        """Returns the draft with that key."""
        return self._drafts.get(key)

    def of_file(self, path: Path) -> Draft | None:
        """Returns the draft of a user's file."""
        return next((each for each in self._drafts.values() if each.path == path), None)

    def of_text(self, name: str, file: str, path: Path | None) -> Draft | None:
        """Returns the draft of a file of the pass called `name`; a user's file is found by its path."""
        if path is not None:
            return self.of_file(path)
        mine = (each for each in self._drafts.values() if each.path is None and each.file is not None)
        return next((each for each in mine if each.file and (each.name, each.file.path) == (name, file)), None)

    def of_trial(self, trial: Trial) -> tuple[Draft, ...]:
        """Returns the drafts that contain a trial's edits."""
        return tuple(each for each in self._drafts.values() if each.tried is not None and each.tried.trial is trial)

    @property
    def unsaved(self) -> tuple[Draft, ...]:
        """Returns the drafts with unsaved changes, in the order in which they were added."""
        return tuple(each for each in self._drafts.values() if each.is_changed)

    def note_tried(self, name: str, file: str, text: str, original: str) -> None:
        """Records that the pass called `name` runs `text` for that file; the file's own text ends that."""
        if text == original:
            self.tried.pop((name, file), None)
        else:
            self.tried[name, file] = text

    def untried(self) -> tuple[Text, ...]:
        """Returns what was typed into built-in shaders and not tried."""
        shown = {(draft.name, draft.file.path): draft for draft in self.unsaved if draft.file and draft.path is None}
        found = [(*key, draft.text) for key, draft in shown.items()]
        return (*found, *((*key, text) for key, text in self.typed.items() if key not in shown))

    def texts(self) -> tuple[Text, ...]:
        """Returns what a bundle should hold: what was tried, then what was typed."""
        return (*((*key, text) for key, text in self.tried.items()), *self.untried())

    def changed_files(self) -> tuple[Path, ...]:
        """Returns the files of the opened bundle that were saved since it was written."""
        return tuple(path for path, stamp in self.stamps.items() if stamp_of(path) != stamp)

    def forget(self) -> None:
        """Drops everything, because another target is opened."""
        self._drafts.clear()
        self.tried.clear()
        self.typed.clear()
        self.writing.clear()
        self.kept, self.stamps = frozenset(), {}


def stamp_of(path: Path) -> Stamp:
    """Returns size and time of a file, by which a save is noticed; the same value for every missing file."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_size, found.st_mtime_ns)
