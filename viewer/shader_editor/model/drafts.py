"""Keeps all texts that are being edited, beside their files, and those that passes run though no file holds them.

The program notices a save later than the user: until the file was read again, the plan still holds the old text. That
must not look like a change by another program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from texelscope.pipeline.plan import ProgramSource, SourceFile

# Programs by pass.
Programs = Mapping[str, ProgramSource]


@dataclass
class Trial:
    """By pass the program that it had before, and the one with the edits.

    `planned` are the plan's programs at that time: once the plan has others, files were read again, and the trial is
    over.
    """

    before: Programs
    after: Programs
    planned: Programs
    is_on: bool = True
    is_over: bool = False


@dataclass(frozen=True)
class TextOfTrial:
    """The text of one file before a trial's edits, and with them, as the editor returns both."""

    before: str
    after: str
    trial: Trial

    def wanted(self, text: str) -> bool | None:
        """Returns whether the trial should run, given the editor's text; None to leave it as it is."""
        if self.trial.is_over or text not in (self.before, self.after):
            return None
        is_on = text == self.after
        return is_on if is_on != self.trial.is_on else None


@dataclass(frozen=True)
class Writing:
    """Describes an edit of a pass's file for its editor: `after` replaces `before`."""

    name: str
    file: str
    before: str
    after: str
    trial: Trial


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

    def retype(self, name: str, file: str, text: str) -> None:
        """Makes the editor of a pass's file begin anew, with `text` typed into it."""
        self._drafts = {
            key: draft
            for key, draft in self._drafts.items()
            if draft.file is None or (draft.name, draft.file.path) != (name, file)
        }
        self.typed[name, file] = text

    def take_typed(self, name: str, file: SourceFile, path: Path | None) -> str | None:
        """Returns a text that waits for the editor of a file, and forgets it.

        A user's file (`path`) has one editor, whichever of its passes is shown first.
        """
        keys = [key for key in self.typed if key[1] == file.path and (path is not None or key[0] == name)]
        texts = [self.typed.pop(key) for key in keys]
        return texts[0] if texts else None

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
