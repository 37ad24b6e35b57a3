"""Tests a repair on the other passes that contain its file: right ones must stay right, wrong ones may be fixed too."""

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
