"""Compiles the next mutant schemata while the current one is drawn, as drivers compile several programs at once."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.repair.benches.bench import Bench
from pipeline.repair.benches.rehearsal import AT_ONCE
from pipeline.repair.programs.schemata import Edit, EditableText, Schemata


class Ahead:
    """Makes the mutant schemata of a search on one harness, and starts the next ones."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._next: list[tuple[Sequence[Edit], Schemata]] = []

    def made(self, text: EditableText, edits: Sequence[Edit]) -> Schemata:
        """Returns the mutant schema of some mutations, which may have been started already."""
        return next((made for known, made in self._next if known is edits), None) or text.schemata(edits)

    def begin(self, text: EditableText, following: Sequence[Sequence[Edit]]) -> None:
        """Starts the mutant schemata that are tried next, in order; those already started continue."""
        self._next = [(edits, self.made(text, edits)) for edits in following[:AT_ONCE] if edits]
        for _, made in self._next:
            self._bench.expect(made.program.fragment)
