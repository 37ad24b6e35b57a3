"""Draws only the visible entries of a list with entries of different heights."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

E = TypeVar("E")


class TallList(Generic[E]):
    """The positions of a list's entries; new ones are added at its end and old ones dropped at its start.

    Heights are measured once for each entry and `width`, in pixels of the window.
    """

    def __init__(self) -> None:
        self._width = 0.0
        self._known: list[tuple[E, float]] = []
        self._tops = [0.0]

    def update(self, entries: Sequence[E], width: float, height_of: Callable[[E], float]) -> None:
        """Updates the entries; `height_of` returns the height of one at that width, with the gap below it."""
        if width != self._width:
            self._width = width
            self._known.clear()
        gone = next((at for at, (entry, _) in enumerate(self._known) if entries and entry is entries[0]), None)
        self._known = self._known[gone:] if gone is not None else []
        new = entries[len(self._known) :]
        if gone or new or len(self._tops) != len(entries) + 1:
            self._known += [(entry, height_of(entry)) for entry in new]
            self._tops = list(accumulate((height for _, height in self._known), initial=0.0))

    @property
    def height(self) -> float:
        """The height of all entries together."""
        return self._tops[-1]

    def top(self, number: int) -> float:
        """Returns where the entry begins, below the list's top."""
        return self._tops[number]

    def within(self, top: float, bottom: float) -> range:
        """Returns the numbers of the entries visible between two heights below the list's top."""
        return range(max(bisect_right(self._tops, top) - 1, 0), min(bisect_left(self._tops, bottom), len(self._known)))
