"""Passes whose text holds a file that a repair edits: what was right there stays right, and what was wrong may mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.expected_output import Standard
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.text.patch import applied

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session


class Neighbours:
    """The other passes of a session's plan, each put on a bench once it is asked for. GL thread; release it."""

    def __init__(self, session: Session, each: Pass) -> None:
        self._session, self._others = session, [other for other in session.plan.passes if other.name != each.name]
        self._there: dict[str, _There | None] = {}

    def release(self) -> None:
        """Frees every bench."""
        for there in self._there.values():
            if there is not None:
                there.bench.release()
        self._there.clear()

    def mended(self, edits: Sequence[LineEdit]) -> int | None:
        """How many passes whose text the edits change, and that were wrong, are right under them.

        None where one that was right is right no more.
        """
        found = 0
        for other in self._others:
            known = self._under(other, edits)
            if known == (True, False):
                return None
            found += known == (False, True)
        return found

    def _under(self, other: Pass, edits: Sequence[LineEdit]) -> tuple[bool, bool] | None:
        """Whether a pass was right, and is under some edits; None where they are not of its text, or nobody knows."""
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
            return there.was_right, _is_right(there.bench, there.trials, text)
        except TexelscopeError:
            return there.was_right, False

    def _on_a_bench(self, other: Pass) -> _There | None:
        """The pass on a bench; None where nobody knows what it should be."""
        try:
            bench = Harness(self._session, other)
        except TexelscopeError:
            return None
        try:
            trials = Evaluator(bench, Standard(self._session.plan, other), ())
            if trials.wanted:
                return _There(bench, trials, _is_right(bench, trials, bench.program.fragment))
        except TexelscopeError:
            pass
        bench.release()
        return None


@dataclass(frozen=True)
class _There:
    """A pass on its bench, and whether it was right as it is."""

    bench: Harness
    trials: Evaluator
    was_right: bool


def _is_right(bench: Harness, trials: Evaluator, text: str) -> bool:
    variant = bench.variant(text)
    try:
        return trials.is_right(variant, ())
    finally:
        variant.release()
