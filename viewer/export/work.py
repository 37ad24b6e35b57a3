"""Finds work that would be lost: texts in no file, and bundle files in a temporary folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from texelscope.viewer.app import App


@dataclass(frozen=True)
class UnsavedWork:
    """One piece of unsaved work: what it is, and why it would be lost. `path` is the user's file for it, if any."""

    what: str
    why: str
    path: Path | None = None


def unsaved_work(app: App) -> tuple[UnsavedWork, ...]:
    """Returns all unsaved work: typed texts first, then tried texts, then files of a bundle."""
    drafts = app.saving.drafts
    found = [
        UnsavedWork(draft.label, f"changed here, not saved to {draft.path}", draft.path)
        for draft in drafts.unsaved
        if draft.path is not None
    ]
    found += [
        UnsavedWork(f"{Path(file).name} of '{name}'", "typed here, neither tried nor saved")
        for name, file, text in drafts.untried()
        if (name, file, text) not in drafts.kept
    ]
    found += [
        UnsavedWork(f"{Path(file).name} of '{name}'", "tried here, in no file")
        for (name, file), text in drafts.tried.items()
        if (name, file, text) not in drafts.kept
    ]
    origin = Path(app.document.origin or "").name
    found += [UnsavedWork(path.name, f"saved, but not into {origin} yet") for path in drafts.changed_files()]
    return tuple(found)


def needs_bundle(app: App) -> bool:
    """Returns whether some work has no file of the user, so that a bundle must hold it."""
    unpacked = app.document.is_unpacked
    return any(each.path is None or unpacked for each in unsaved_work(app))
