"""Writes unsaved edits into files beside the settings, and finds those of windows that ended without a question.

Each window has a file of its own, and a lock beside it that the system releases when the window ends, however it
ends. The files are untrusted: one that cannot be read or understood is left alone.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import read_text
from texelscope.pipeline.untrusted_files.texts import json_value

VERSION = 1
FOLDER = "unsaved"
MOST_FILES, MOST_TEXTS, MOST_VALUES = 20, 200, 2000


@dataclass(frozen=True)
class EditedText:
    """The edited `text` of a file of the pass called `name`; `base` is the text before the edit."""

    name: str
    file: str
    base: str
    text: str


@dataclass(frozen=True)
class KeptEdits:
    """All unsaved edits of one target, with the shapes that it was opened with; `place` is the file they were in.

    `values` are the changed values of a pipeline file's passes, by key.
    """

    target: str
    texts: tuple[EditedText, ...]
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    place: Path | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.texts or self.values)


class EditsFile:
    """The file of one window in the folder beside its settings; without a folder nothing is written."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._place = folder / f"{os.getpid()}-{time.time_ns()}.json" if folder is not None else None
        self._lock: IO[bytes] | None = None

    def write(self, edits: KeptEdits) -> None:
        """Writes the edits, or removes the file where there are none; a file that cannot be written is left out."""
        if self._place is None:
            return
        if edits.is_empty:
            self.remove()
            return
        data = {"version": VERSION, "target": edits.target, "shapes": dict(edits.shapes)}
        data["texts"] = [asdict(each) for each in edits.texts]
        data["values"] = dict(edits.values)
        with suppress(OSError, TexelscopeError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._lock = self._lock or _locked(self._place)
            write_text_whole(self._place, in_json(data))

    def remove(self) -> None:
        """Removes the file: everything in it is saved or discarded."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._place is not None:
            remove(self._place)

    def left_behind(self) -> tuple[KeptEdits, ...]:
        """Returns the edits of windows that ended without a question, newest first."""
        if self._folder is None:
            return ()
        found = []
        with suppress(OSError):
            places = sorted(self._folder.glob("*.json"), key=lambda place: place.stat().st_mtime_ns, reverse=True)
            for place in places[:MOST_FILES]:
                edits = _read(place)
                if edits is not None and not _is_in_use(place):
                    found.append(edits)
        return tuple(found)


def remove(place: Path) -> None:
    """Removes a file of edits and its lock."""
    for each in (place, _lock_of(place)):
        with suppress(OSError):
            each.unlink()


def _lock_of(place: Path) -> Path:
    return place.with_suffix(".lock")


def _locked(place: Path) -> IO[bytes]:
    write_text_whole(_lock_of(place), "")
    lock = _lock_of(place).open("rb")
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return lock


def _is_in_use(place: Path) -> bool:
    """Returns whether a running window has the file."""
    lock = _lock_of(place)
    if not lock.exists():
        return False
    try:
        import fcntl
    except ImportError:  # on Windows, an open file cannot be removed
        try:
            lock.unlink()
        except OSError:
            return True
        return False
    try:
        with lock.open("rb") as tried:
            fcntl.flock(tried, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


_KEYS = {each.name for each in fields(EditedText)}


def _read(place: Path) -> KeptEdits | None:
    """Reads a file of edits; None for one that is not understood."""
    try:
        found = json_value(read_text(place), place.name)
    except TexelscopeError:
        return None
    if not isinstance(found, dict) or found.get("version") != VERSION or not isinstance(found.get("target"), str):
        return None
    listed = found.get("texts")
    texts = tuple(
        EditedText(**each)
        for each in (listed[:MOST_TEXTS] if isinstance(listed, list) else ())
        if isinstance(each, dict) and set(each) == _KEYS and all(isinstance(value, str) for value in each.values())
    )
    edits = KeptEdits(found["target"], texts, _shapes(found.get("shapes")), place, _values(found.get("values")))
    return None if edits.is_empty else edits


def _values(data: Any) -> dict[str, str]:
    pairs = data.items() if isinstance(data, dict) else ()
    return {key: text for key, text in itertools.islice(pairs, MOST_VALUES) if isinstance(text, str)}


def _shapes(data: Any) -> dict[str, tuple[int, ...]]:
    pairs = data.items() if isinstance(data, dict) else ()
    return {
        name: tuple(shape)
        for name, shape in pairs
        if isinstance(shape, list) and all(isinstance(size, int) and size > 0 for size in shape)
    }
