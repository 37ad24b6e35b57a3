"""Keeps in order what can be undone and redone; needs no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The oldest are dropped first.
MOST_DEEDS = 500


@dataclass(frozen=True)
class StrokeDeed:
    """Stands for a stroke on an input, which the input's own strokes hold."""


@dataclass(frozen=True)
class ValueDeed:
    """Values of the open target by key, before and after a change; None where its file's own value holds."""

    before: Mapping[str, str | None]
    after: Mapping[str, str | None]


Deed = StrokeDeed | ValueDeed


class Deeds:
    """What was done, newest last, and what was undone since."""

    def __init__(self, most: int = MOST_DEEDS) -> None:
        self._most = most
        self._done: list[Deed] = []
        self._undone: list[Deed] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self._undone)

    def note(self, deed: Deed, *, goes_on: bool = False) -> None:
        """Adds a deed, and drops those that were undone.

        One that `goes_on` belongs to the last one, as each move of a slider that is held does: both are undone at once.
        """
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if goes_on and isinstance(deed, ValueDeed) and isinstance(last, ValueDeed) and last.after == deed.before:
            self._done[-1] = ValueDeed(last.before, deed.after)
            return
        self._done.append(deed)
        del self._done[: -self._most]

    def undo(self) -> Deed | None:
        """Returns the newest deed, which counts as undone from now on; None if there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> Deed | None:
        """Returns the deed that was undone last, which counts as done from now on; None if there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def settle(self, values: Mapping[str, str | None]) -> None:
        """Replaces the file's own values, by key, by those that it had before it was saved."""

        def settled(held: Mapping[str, str | None]) -> dict[str, str | None]:
            return {key: values.get(key) if text is None else text for key, text in held.items()}

        for deeds in (self._done, self._undone):
            deeds[:] = [
                ValueDeed(settled(each.before), settled(each.after)) if isinstance(each, ValueDeed) else each
                for each in deeds
            ]

    def forget(self) -> None:
        """Drops everything, because another target is opened."""
        self._done.clear()
        self._undone.clear()
