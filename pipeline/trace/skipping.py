"""Goes past a log without making its steps: what is left of it where a later window begins.

A window of a long trace begins within calls and loops, and behind many assignments. What of these still holds is
worked out for all entries at once; taken one by one they would take minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.trace.log import TraceLog
from texelscope.pipeline.trace.rewriting.sites import TraceSite, What
from texelscope.pipeline.trace.trace import Number

Places = NDArray[np.int64]
_NONE: Places = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Last:
    """An assignment that is its variable's last: where in the log, by which site, how many steps had begun by then, and
    the values of its indices. `call` is the number in `enters` of its function's call; -1 for one before the log.
    """

    entry: int
    site: int
    begun: int
    call: int
    indices: tuple[int, ...]


class Skipped:
    """Asks a log about its end. `later` are parts of structs before which another of the same comes, `known` the values
    that indices had before the log, by site.
    """

    def __init__(
        self, log: TraceLog, sites: Sequence[TraceSite], later: frozenset[int], known: Mapping[int, Number]
    ) -> None:
        self._log, self._sites, self._known = log, sites, known
        self._whole = ~np.isin(log.parts, sorted(later)) | log.is_read
        self._own = ~log.is_read

    def _of(self, flags: Sequence[bool]) -> NDArray[np.bool_]:
        """Which entries are of a site with that flag."""
        return np.asarray(np.array(flags, np.bool_)[self._log.sites] & self._own)

    @cached_property
    def _begins(self) -> NDArray[np.bool_]:
        return np.asarray(self._of([site.what == "step" or site.begins for site in self._sites]) & self._whole)

    @cached_property
    def _begun(self) -> Places:
        return np.cumsum(self._begins)

    @property
    def steps(self) -> int:
        """How many steps began."""
        return int(self._begun[-1]) if len(self._log) else 0

    @cached_property
    def enters(self) -> Places:
        """Where calls began."""
        return np.flatnonzero(self._of([site.what == "enter" for site in self._sites]))

    @cached_property
    def _depths(self) -> Places:
        ends = self._of([site.what == "exit" for site in self._sites])
        ends |= self._of([site.what == "return" for site in self._sites]) & self._whole
        change = -ends.astype(np.int64)
        change[self.enters] += 1
        return np.cumsum(change)

    @property
    def left(self) -> int:
        """How many of the calls that were under way before were left."""
        return -min(int(self._depths.min()), 0) if len(self._log) else 0

    def open_calls(self) -> tuple[int, ...]:
        """Numbers in `enters` of the calls that began and are under way still, outermost first."""
        found, within = [], self._depths[self.enters]
        lowest = np.minimum.accumulate(self._depths[::-1])[::-1] if len(self._log) else self._depths
        for number, (entry, depth) in enumerate(zip(self.enters.tolist(), within.tolist(), strict=True)):
            if lowest[entry] >= depth:
                found.append(number)
        return tuple(found)

    def turns(self, loop: int, start: int) -> tuple[bool, int]:
        """Whether a loop was entered since entry `start`, and how many turns it has begun since then."""
        entered = self._since(self._places(loop, "enters"), start)
        begun = self._since(self._places(loop, "turns"), int(entered[-1]) if len(entered) else start)
        return len(entered) > 0, len(begun)

    def _places(self, loop: int, what: str) -> Places:
        return np.flatnonzero(self._of([getattr(site, what) == loop for site in self._sites]) & self._whole)

    def _since(self, places: Places, start: int) -> Places:
        return places[np.searchsorted(places, start) :]

    @cached_property
    def _by_site(self) -> dict[int, Places]:
        """Entries of each site that was there, in order."""
        own = np.flatnonzero(self._own)
        order = own[np.argsort(self._log.sites[own], kind="stable")]
        numbers, starts = np.unique(self._log.sites[order], return_index=True)
        parts = np.split(order, starts[1:])
        return dict(zip(numbers.tolist(), parts, strict=True))

    def entries(self, site: int) -> Places:
        """Where a site was written down."""
        return self._by_site.get(site, _NONE)

    def last(self, what: What) -> Iterator[tuple[int, int]]:
        """Each site of a kind that was there, and its last entry."""
        for number, entries in self._by_site.items():
            if self._sites[number].what == what:
                yield number, int(entries[-1])

    def _numbers(self, entries: Places) -> NDArray[np.int64]:
        words = self._log.words[self._log.starts[entries], 0]
        return np.asarray(words.view(np.int32)).astype(np.int64)

    def assignments(self) -> list[Last]:
        """The last assignment to each variable, element and member, in order."""
        found = []
        for number, entries in self._by_site.items():
            site = self._sites[number]
            if site.what == "assign":
                for entry, indices in self._last_of_each(entries, site.indices):
                    found.append(
                        Last(entry, number, int(self._begun[entry]), self._call(site.definition, entry), indices)
                    )
        return sorted(found, key=lambda each: each.entry)

    def _call(self, definition: int, entry: int) -> int:
        """The newest call of a function at an entry, as a number in `enters`."""
        entries = self.entries(definition) if definition >= 0 else _NONE
        place = int(np.searchsorted(entries, entry, side="right")) - 1
        return int(np.searchsorted(self.enters, entries[place])) if place >= 0 else -1

    def _last_of_each(self, entries: Places, indices: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Of the entries of one site the last with each part and each value of its indices."""
        columns = [self._log.parts[entries]]
        for index in indices:
            known = self.entries(index)
            places = np.searchsorted(known, entries) - 1
            own = np.full(len(entries), self._known.get(index, 0), np.int64)
            own[places >= 0] = self._numbers(known)[places[places >= 0]]
            columns.append(own)
        rows = np.stack(columns, axis=1)[::-1]
        _, first = np.unique(rows, axis=0, return_index=True)
        for place in first.tolist():
            yield int(entries[len(entries) - 1 - place]), tuple(rows[place, 1:].tolist())
