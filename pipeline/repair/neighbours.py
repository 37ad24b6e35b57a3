"""Passes whose text holds a file that a repair edits: what was right there is to be right afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.compare.repairs import LineEdit
from pipeline.errors import TexelscopeError
from pipeline.plan import Pass
from pipeline.repair.benches.bench import Bench
from pipeline.repair.benches.standard import Standard
from pipeline.repair.text.patch import applied
from pipeline.repair.trying import Trials

if TYPE_CHECKING:
    from pipeline.gl.session import Session


class Neighbours:
    """The other passes of a session's plan, each put on a bench once it is asked for. GL thread; release it."""

    def __init__(self, session: Session, each: Pass) -> None:
        self._session, self._others = session, [other for other in session.plan.passes if other.name != each.name]
        self._there: dict[str, tuple[Bench, Trials] | None] = {}

    def release(self) -> None:
        """Frees every bench."""
        for there in self._there.values():
            if there is not None:
                there[0].release()
        self._there.clear()

    def keep_right(self, edits: Sequence[LineEdit]) -> bool:
        """Whether every pass that was right, and whose text the edits change, is right under them."""
        return all(self._keeps_right(other, edits) for other in self._others)

    def _keeps_right(self, other: Pass, edits: Sequence[LineEdit]) -> bool:
        program = self._session.program_source(other.name)
        if other.from_operator or not {file.path for file in program.files} & {edit.file for edit in edits}:
            return True
        text = applied(program, edits).fragment
        if text == program.fragment:
            return True
        if other.name not in self._there:
            self._there[other.name] = self._if_right(other)
        there = self._there[other.name]
        try:
            return there is None or _is_right(*there, text)
        except TexelscopeError:
            return False

    def _if_right(self, other: Pass) -> tuple[Bench, Trials] | None:
        """The pass on a bench, if it is right as it is; None where it is wrong itself, or nobody knows."""
        try:
            bench = Bench(self._session, other)
        except TexelscopeError:
            return None
        try:
            trials = Trials(bench, Standard(self._session.plan, other), ())
            if trials.wanted and _is_right(bench, trials, bench.program.fragment):
                return bench, trials
        except TexelscopeError:
            pass
        bench.release()
        return None


def _is_right(bench: Bench, trials: Trials, text: str) -> bool:
    variant = bench.variant(text)
    try:
        return trials.is_right(variant, ())
    finally:
        variant.release()
