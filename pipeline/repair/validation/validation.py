"""Validates a repair beyond its own run: it stays inside what it indexes, drops no statements, holds at other sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.repair.validation.at_sizes import OtherSizes, SizeAnswer, Steps
from texelscope.pipeline.repair.validation.observed_text import ObservedPlace
from texelscope.pipeline.repair.validation.observing import observe

# Turns of all loops of an invocation where nothing is known of them.
_TURNS = 1 << 12


@dataclass(frozen=True)
class Validity:
    """What is known of a repair beyond its own run.

    `leaves`: lines at which it reads or writes outside of something that the wrong shader stays inside of. `idles`: the
    first lines of computations that the wrong shader runs and the repaired one never does, at no size either. It
    `reads_outside` where it reads or writes outside of something, as the wrong shader does too. `answers` are those of
    the other sizes; at the end some may be missing, of which nothing is known.
    """

    leaves: tuple[Line, ...] = ()
    idles: tuple[Line, ...] = ()
    answers: tuple[SizeAnswer, ...] = ()
    reads_outside: bool = False

    @property
    def holds(self) -> tuple[bool | None, ...]:
        """Returns for each other size whether everything is right there; None if the size says nothing of it."""
        return tuple(each.is_right for each in self.answers)

    @property
    def is_sound(self) -> bool:
        """Whether it stays inside of what it indexes, and switches nothing off."""
        return not self.leaves and not self.idles

    def at(self, size: int) -> SizeAnswer:
        """Returns the answer of another size, by its number."""
        return self.answers[size] if size < len(self.answers) else SizeAnswer(None, frozenset())


class Validation:
    """Validates the repairs of one pass; release it. GL thread."""

    def __init__(self, session: Session, shader_pass: Pass) -> None:
        self._session, self._pass = session, shader_pass
        self._sizes: OtherSizes | None = None
        self._before: frozenset[ObservedPlace] | None = None
        self._is_observed = False

    def release(self) -> None:
        """Frees what it made."""
        if self._sizes is not None:
            self._sizes.release()

    @property
    def certain(self) -> tuple[bool, ...]:
        """Returns for each other size whether a right shader is surely right there; empty before the first repair."""
        return self._sizes.certain if self._sizes is not None else ()

    @property
    def unedited(self) -> tuple[frozenset[int], ...]:
        """Returns for each other size the ways to plan it in which the pass is right, so that the fault is hidden."""
        return self._sizes.unedited if self._sizes is not None else ()

    @property
    def problem(self) -> str:
        """Why no other size can be tried; empty if one can."""
        return self._sizes.problem if self._sizes is not None else ""

    def of_shader(self, harness: Harness, evaluator: Evaluator, edits: Sequence[LineEdit]) -> Steps[Validity]:
        """Validates edits of the pass's shader, which are right on `harness`; unsound ones are tried at no size."""
        sizes = self._at_sizes(evaluator.turns)
        before, after = self._observed(harness, evaluator, edits)
        yield
        if before is None or after is None:
            return Validity(answers=(yield from sizes.holds(edits)))
        lines = line_map(harness.program)
        if leaves := _leaves(before, after, lines):
            return Validity(leaves)
        removed = {(edit.file, edit.line) for edit in edits if edit.after is None}
        idle = [each for each in before - after if each.kind == "computes" and lines[each.row] not in removed]
        running = (yield from sizes.running(edits)) if idle else frozenset()
        idles = _own(lines[each.row] for each in idle if each not in running)
        if idles:
            return Validity(idles=idles)
        is_outside = any(each.kind == "outside" for each in after)
        return Validity(answers=(yield from sizes.holds(edits)), reads_outside=is_outside)

    def leaves(self, harness: Harness, evaluator: Evaluator, edits: Sequence[LineEdit]) -> tuple[Line, ...]:
        """Returns the lines at which edits leave something that the wrong shader stays inside of; see `Validity`."""
        before, after = self._observed(harness, evaluator, edits)
        return () if before is None or after is None else _leaves(before, after, line_map(harness.program))

    def _observed(
        self, harness: Harness, evaluator: Evaluator, edits: Sequence[LineEdit]
    ) -> tuple[frozenset[ObservedPlace] | None, frozenset[ObservedPlace] | None]:
        """Returns what the wrong shader does, and what it does with the edits; None for what cannot be observed."""
        if not self._is_observed:
            self._is_observed = True
            self._before = observe(harness, harness.program.fragment, evaluator.turns)
        if self._before is None:
            return None, None
        return self._before, observe(harness, applied(harness.program, edits).fragment, evaluator.turns)

    def of_file(self, edits: Sequence[LineEdit], turns: int = _TURNS) -> Steps[Validity]:
        """Validates edits of the pipeline file."""
        return Validity(answers=(yield from self._at_sizes(turns).holds(edits)))

    def _at_sizes(self, turns: int) -> OtherSizes:
        if self._sizes is None:
            self._sizes = OtherSizes(self._session, self._pass, turns)
        return self._sizes


def _leaves(
    before: frozenset[ObservedPlace], after: frozenset[ObservedPlace], lines: Sequence[Line]
) -> tuple[Line, ...]:
    left = {each.indexed for each in before if each.kind == "outside"}
    return _own(lines[each.row] for each in after if each.kind == "outside" and each.indexed not in left)


def _own(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Returns the author's lines, each once, in order."""
    return tuple(sorted({line for line in lines if line[0] != GENERATED}))
