"""The next program of edits is tried apart while the one at hand is drawn: the driver has two of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.repair.benches.bench import Bench
from pipeline.repair.programs.schemata import Edit, EditableText, Schemata


class Ahead:
    """Makes the programs of a search on one bench, and begins on the next one."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._next: tuple[Sequence[Edit], Schemata] | None = None

    def made(self, text: EditableText, edits: Sequence[Edit]) -> Schemata:
        """The program of some edits, which may have been begun on."""
        if self._next is not None and self._next[0] is edits:
            return self._next[1]
        return text.schemata(edits)

    def begin(self, text: EditableText, edits: Sequence[Edit]) -> None:
        """Begins on the program of the edits that are tried next; of none there is nothing to begin on."""
        if edits:
            self._next = edits, text.schemata(edits)
            self._bench.expect(self._next[1].program.fragment)
