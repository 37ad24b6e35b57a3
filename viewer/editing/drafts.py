"""All texts that are being edited, and those that passes run though no file holds them."""

from __future__ import annotations

from pathlib import Path

from texelscope.viewer.editing.draft import Draft
from texelscope.viewer.editing.trial import Trial, Writing

# A user's file; a file of the program's in one pass; a text that is only looked at.
Key = tuple[str, ...]
# A pass, the path of one of its files as the plan says it, and the text of that.
Text = tuple[str, str, str]
Stamp = tuple[int, int]


class Drafts:
    """Drafts by key, until another target is there.

    `tried` are texts that passes run in place of a file of the program's, by pass and file; `typed` those that a bundle
    says were typed and not tried, until their pass is looked at. `kept` are the texts of either kind that a bundle
    holds; `stamps` say how the files of an opened bundle were when they were last in it. `writing` is what editors are
    to take up when they are shown next.
    """

    def __init__(self) -> None:
        self._drafts: dict[Key, Draft] = {}
        self.tried: dict[tuple[str, str], str] = {}
        self.typed: dict[tuple[str, str], str] = {}
        self.kept: frozenset[Text] = frozenset()
        self.stamps: dict[Path, Stamp] = {}
        self.writing: list[Writing] = []

    def add(self, key: Key, draft: Draft) -> Draft:
        """Takes up a text that is being edited from now on."""
        self._drafts[key] = draft
        return draft

    def get(self, key: Key) -> Draft | None:
        """The draft with that key."""
        return self._drafts.get(key)

    def of_file(self, path: Path) -> Draft | None:
        """The draft of a user's file."""
        return next((each for each in self._drafts.values() if each.path == path), None)

    def of_text(self, name: str, file: str, path: Path | None) -> Draft | None:
        """The draft of a file of the pass called `name`: of a user's file by its path."""
        if path is not None:
            return self.of_file(path)
        mine = (each for each in self._drafts.values() if each.path is None and each.file is not None)
        return next((each for each in mine if each.file and (each.name, each.file.path) == (name, file)), None)

    def of_trial(self, trial: Trial) -> tuple[Draft, ...]:
        """The drafts that a trial's edits are in."""
        return tuple(each for each in self._drafts.values() if each.tried is not None and each.tried.trial is trial)

    @property
    def unsaved(self) -> tuple[Draft, ...]:
        """Those with changes that are not kept, in the order in which they were taken up."""
        return tuple(each for each in self._drafts.values() if each.is_changed)

    def note_tried(self, name: str, file: str, text: str, original: str) -> None:
        """The pass called `name` runs `text` for that file from now on; the file's own text ends that."""
        if text == original:
            self.tried.pop((name, file), None)
        else:
            self.tried[name, file] = text

    def untried(self) -> tuple[Text, ...]:
        """What was typed into shaders of the program's and not tried."""
        shown = {(draft.name, draft.file.path): draft for draft in self.unsaved if draft.file and draft.path is None}
        found = [(*key, draft.text) for key, draft in shown.items()]
        return (*found, *((*key, text) for key, text in self.typed.items() if key not in shown))

    def texts(self) -> tuple[Text, ...]:
        """What a bundle should hold: what was tried, then what was typed."""
        return (*((*key, text) for key, text in self.tried.items()), *self.untried())

    def changed_files(self) -> tuple[Path, ...]:
        """Files of the opened bundle that were saved since it was."""
        return tuple(path for path, stamp in self.stamps.items() if stamp_of(path) != stamp)

    def forget(self) -> None:
        """Another target is there."""
        self._drafts.clear()
        self.tried.clear()
        self.typed.clear()
        self.writing.clear()
        self.kept, self.stamps = frozenset(), {}


def stamp_of(path: Path) -> Stamp:
    """Size and time of a file: how one knows that it was saved; the same for every file that is gone."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_size, found.st_mtime_ns)
