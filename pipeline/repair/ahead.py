"""The next programs of edits are tried apart while the one at hand is drawn: the driver has several of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant, MutantSchema


class Ahead:
    """Makes the programs of a search on one bench, and begins on the next ones."""

    def __init__(self, bench: Harness) -> None:
        self._bench = bench
        self._next: list[tuple[Sequence[Mutant], MutantSchema]] = []

    def made(self, text: MutableProgram, edits: Sequence[Mutant]) -> MutantSchema:
        """The program of some edits, which may have been begun on."""
        return next((made for known, made in self._next if known is edits), None) or text.schemata(edits)

    def begin(self, text: MutableProgram, following: Sequence[Sequence[Mutant]]) -> None:
        """Begins on the programs of those that are tried next, in their order; what was begun goes on."""
        self._next = [(edits, self.made(text, edits)) for edits in following[:AT_ONCE] if edits]
        for _, made in self._next:
            self._bench.expect(made.program.fragment)
