"""All texts that are being edited, whatever is open."""

from __future__ import annotations

from pathlib import Path

from viewer.editing.draft import Draft

# A user's file; a file of the program's in one pass; a text that is only looked at.
Key = tuple[str, ...]


class Drafts:
    """Drafts by key; they outlive the target that they are of, until they are saved or let go."""

    def __init__(self) -> None:
        self._drafts: dict[Key, Draft] = {}

    def add(self, key: Key, draft: Draft) -> Draft:
        """Takes up a text that is being edited from now on."""
        self._drafts[key] = draft
        return draft

    def of_file(self, path: Path) -> Draft | None:
        """The draft of a user's file."""
        return next((each for each in self._drafts.values() if each.path == path), None)

    @property
    def unsaved(self) -> tuple[Draft, ...]:
        """Those with changes that are not kept, in the order in which they were taken up."""
        return tuple(each for each in self._drafts.values() if each.is_changed)
