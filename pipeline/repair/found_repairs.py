"""Collects the repairs: mutations as their author would write them, tried again in that form."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from texelscope.pipeline.compare.repairs import LineEdit, Repair, unified_files
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Inputs
from texelscope.pipeline.repair.neighbours import Neighbours
from texelscope.pipeline.repair.programs.shortest import some_of_each_line
from texelscope.pipeline.repair.text.length import length
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.repair.text.sources import Sources

# The most repairs reported.
MOST = 8
# At most this many mutations that fix what the pass read are written out and tried again.
_WRITTEN = 24


class FoundRepairs:
    """Repairs of one pass, the shortest first. GL thread."""

    def __init__(self, session: Session, shader_pass: Pass) -> None:
        self.repairs: tuple[Repair, ...] = ()
        self.sources = Sources(session.program_source(shader_pass.name))
        self._neighbours = Neighbours(session, shader_pass)
        # How many other passes with the same file each repair fixes: the more, the likelier it is meant.
        self._mended: dict[tuple[LineEdit, ...], int] = {}

    def keep(self, repair: Repair) -> None:
        """Adds a repair."""
        kept = sorted([*self.repairs, repair], key=lambda each: (-self._mended.get(each.edits, 0), *length(each.edits)))
        self.repairs = self.sources.ordered(tuple(some_of_each_line(kept))[:MOST])

    def written(
        self,
        harness: Harness,
        evaluator: Evaluator,
        written: Sequence[tuple[LineEdit, ...]],
        others: Sequence[Inputs] | None = None,
    ) -> Generator[None, None, None]:
        """Tries edits of the author's lines as written and keeps those that are right; see `Evaluator.on_others`."""
        known = {repair.edits for repair in self.repairs}
        unknown = [edits for edits in dict.fromkeys(written) if edits not in known]
        for edits in sorted(unknown, key=length)[:_WRITTEN]:
            inputs = yield from _inputs_right(harness, evaluator, applied(harness.program, edits), others)
            diff = unified_files(edits, {file.path: file.text for file in harness.program.files}.get)
            mended = self._neighbours.mended(edits) if inputs and diff else None
            if diff and mended is not None:
                self._mended[edits] = mended
                self.keep(Repair(edits, diff, evaluator.elements, inputs))

    def release(self) -> None:
        """Frees the programs that it tried."""
        self._neighbours.release()


def _inputs_right(
    harness: Harness, evaluator: Evaluator, program: ProgramSource, others: Sequence[Inputs] | None
) -> Generator[None, None, int]:
    """Returns on how many inputs everything is right; 0 if it fails on any input tried."""
    try:
        variant = harness.variant(program.fragment)
    except TexelscopeError:
        return 0
    try:
        if not (evaluator.is_right_first(variant, ()) and evaluator.is_right(variant, ())):
            return 0
        yield
        count = 1
        for wanted in evaluator.on_others(others):
            if not evaluator.is_right(variant, (), wanted):
                return 0
            count += 1
            yield
        return count
    finally:
        variant.release()
