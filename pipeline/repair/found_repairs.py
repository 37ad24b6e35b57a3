"""The repairs that were found: edits as their author would write them, tried once more as they are written."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.unified_diff import unified_files
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

# Repairs that are told.
MOST = 8
# Of what mends all that the pass read, so many are written out and tried as they are written.
_WRITTEN = 24


class FoundRepairs:
    """Repairs of one pass, the shortest first. GL thread."""

    def __init__(self, session: Session, each: Pass) -> None:
        self.repairs: tuple[Repair, ...] = ()
        self.sources = Sources(session.program_source(each.name))
        self._neighbours = Neighbours(session, each)
        # How many other passes each repair mends, which hold the same file: what mends more was meant.
        self._mended: dict[tuple[LineEdit, ...], int] = {}

    def keep(self, repair: Repair) -> None:
        """One more."""
        kept = sorted([*self.repairs, repair], key=lambda each: (-self._mended.get(each.edits, 0), *length(each.edits)))
        self.repairs = self.sources.ordered(tuple(some_of_each_line(kept))[:MOST])

    def written(
        self,
        bench: Harness,
        trials: Evaluator,
        written: Sequence[tuple[LineEdit, ...]],
        others: Sequence[Inputs] | None = None,
    ) -> Generator[None, None, None]:
        """Of edits of the author's lines those are kept that are right as they are written; see `Evaluator.on_others`."""
        known = {repair.edits for repair in self.repairs}
        unknown = [edits for edits in dict.fromkeys(written) if edits not in known]
        for edits in sorted(unknown, key=length)[:_WRITTEN]:
            inputs = yield from _inputs_right(bench, trials, applied(bench.program, edits), others)
            diff = unified_files(edits, {file.path: file.text for file in bench.program.files}.get)
            mended = self._neighbours.mended(edits) if inputs and diff else None
            if diff and mended is not None:
                self._mended[edits] = mended
                self.keep(Repair(edits, diff, trials.elements, inputs))

    def release(self) -> None:
        """Lets go of what it tried."""
        self._neighbours.release()


def _inputs_right(
    bench: Harness, trials: Evaluator, program: ProgramSource, others: Sequence[Inputs] | None
) -> Generator[None, None, int]:
    """On how many inputs everything is right; 0 where that is not on all that were tried."""
    try:
        variant = bench.variant(program.fragment)
    except TexelscopeError:
        return 0
    try:
        if not (trials.is_right_first(variant, ()) and trials.is_right(variant, ())):
            return 0
        yield
        count = 1
        for wanted in trials.on_others(others):
            if not trials.is_right(variant, (), wanted):
                return 0
            count += 1
            yield
        return count
    finally:
        variant.release()
