"""Compiles the next mutant schemata while the current one is drawn, as drivers compile several programs at once."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant, MutantSchema


class Ahead:
    """Makes the mutant schemata of a search on one harness, and starts the next ones."""

    def __init__(self, harness: Harness) -> None:
        self._bench = harness
        self._next: list[tuple[Sequence[Mutant], MutantSchema]] = []

    def made(self, text: MutableProgram, edits: Sequence[Mutant]) -> MutantSchema:
        """Returns the mutant schema of some mutations, which may have been started already."""
        return next((made for known, made in self._next if known is edits), None) or text.schemata(edits)

    def begin(self, text: MutableProgram, following: Sequence[Sequence[Mutant]]) -> None:
        """Starts the mutant schemata that are tried next, in order; those already started continue."""
        self._next = [(edits, self.made(text, edits)) for edits in following[:AT_ONCE] if edits]
        for _, made in self._next:
            self._bench.expect(made.program.fragment)
