"""Collects the repairs: mutations as their author would write them, tried again in that form.

A repair is tested on the other passes that contain its file: right ones must stay right, wrong ones may be fixed too.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.compare.repairs import LineEdit, Repair, unified_files
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Inputs, Standard
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.repair.text.preferred import Sources, length

# The most repairs reported, and those for one line.
MOST, _MOST_OF_A_LINE = 8, 3
# At most this many mutations that fix what the pass read are written out and tried again.
_WRITTEN = 24


class Neighbours:
    """The other passes of a session's plan, each given a harness when needed. GL thread; release it."""

    def __init__(self, session: Session, shader_pass: Pass) -> None:
        self._session, self._others = (
            session,
            [other for other in session.plan.passes if other.name != shader_pass.name],
        )
        self._there: dict[str, _There | None] = {}

    def release(self) -> None:
        """Frees every harness."""
        for there in self._there.values():
            if there is not None:
                there.harness.release()
        self._there.clear()

    def mended(self, edits: Sequence[LineEdit]) -> int | None:
        """Returns how many wrong passes, whose text the edits change, are right with them.

        None if one that was right becomes wrong.
        """
        found = 0
        for other in self._others:
            known = self._under(other, edits)
            if known == (True, False):
                return None
            found += known == (False, True)
        return found

    def _under(self, other: Pass, edits: Sequence[LineEdit]) -> tuple[bool, bool] | None:
        """Whether a pass was right, and is right with some edits; None if they are not in its text, or if unknown."""
        program = self._session.program_source(other.name)
        if other.from_operator or not {file.path for file in program.files} & {edit.file for edit in edits}:
            return None
        text = applied(program, edits).fragment
        if text == program.fragment:
            return None
        if other.name not in self._there:
            self._there[other.name] = self._on_a_bench(other)
        there = self._there[other.name]
        if there is None:
            return None
        try:
            return there.was_right, _is_right(there.harness, there.evaluator, text)
        except TexelscopeError:
            return there.was_right, False

    def _on_a_bench(self, other: Pass) -> _There | None:
        """Returns the pass on a harness; None if its expected values are unknown."""
        try:
            harness = Harness(self._session, other)
        except TexelscopeError:
            return None
        try:
            evaluator = Evaluator(harness, Standard(self._session.plan, other), ())
            if evaluator.wanted:
                return _There(harness, evaluator, _is_right(harness, evaluator, harness.program.fragment))
        except TexelscopeError:
            pass
        harness.release()
        return None


@dataclass(frozen=True)
class _There:
    """A pass on its harness, and whether it was right unchanged."""

    harness: Harness
    evaluator: Evaluator
    was_right: bool


def _is_right(harness: Harness, evaluator: Evaluator, text: str) -> bool:
    variant = harness.variant(text)
    try:
        return evaluator.is_right(variant, ())
    finally:
        variant.release()


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
        self.repairs = self.sources.ordered(tuple(_some_of_each_line(kept))[:MOST])

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


def _some_of_each_line(repairs: Sequence[Repair]) -> Iterator[Repair]:
    """Yields the first few of the repairs with the same lines."""
    seen: dict[tuple[Line, ...], int] = {}
    for repair in repairs:
        lines = tuple((edit.file, edit.line) for edit in repair.edits)
        seen[lines] = seen.get(lines, 0) + 1
        if seen[lines] <= _MOST_OF_A_LINE:
            yield repair
