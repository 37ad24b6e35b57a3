"""Ranks mutations that do not fix a pass, and recognises what is left of the errors where one fixes one of two faults.

Mutations that help come first, the most helpful first, and others with any effect last. Those with the same values
count as one as far as known: few of them are combined with others. A residual is a cause that explains nothing alone,
or a factor; if neither fits, mutations that help much may each fix one of two faults.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.spot_check import SCALED
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import NumberedCauses
from texelscope.pipeline.repair.programs.pairing import are_apart
from texelscope.pipeline.repair.read_diff import Readings
from texelscope.pipeline.repair.text.patch import line_edits
from texelscope.pipeline.repair.text.preferred import length
from texelscope.pipeline.repair.validation.validation import Validation

# Mutations that help are kept up to this number; this many of one outcome, and this many outcomes of one line come
# first.
_NOTED, _OF_AN_OUTCOME, _OF_A_LINE = 40, 3, 2
# Mutations that were only checked, of one outcome.
_SEEN_OF_AN_OUTCOME = 3
# A smaller improvement may be chance.
_LITTLE = 0.1
# After this share of a search no more residuals are computed; at most this many are computed for the whole output.
_PARTNERS, _MOST_WHOLE = 0.2, 12
# A mutation that helps this much may fix one of two faults; at most this many are reported.
STRONGLY, _MOST_STRONG = 0.5, 3
# Mutation operators that add to the computation.
_ADDING = frozenset({"added", "put in"})


@dataclass(frozen=True)
class HelpingGroup:
    """Groups mutations that give the same values, and says how much they help."""

    helps: float
    edits: tuple[Mutant, ...]

    def besides(self, other: Mutant) -> Mutant | None:
        """Returns one of them that does not overlap with another mutation."""
        return next((each for each in self.edits if are_apart(each, other)), None)


class CandidatePool:
    """Keeps the mutations of one text, by their outcomes."""

    def __init__(self, plain: int) -> None:
        """`plain` is the outcome of the unchanged text."""
        self._plain = plain
        self._helping: dict[int, HelpingGroup] = {}
        self._promising: dict[int, HelpingGroup] = {}
        self._seen: dict[tuple[int, int, str], tuple[Mutant, int]] = {}
        self._counts = Counter[int]()

    def see(self, edit: Mutant, outcome: int) -> None:
        """Keeps a mutation that was checked, a few of one outcome: elsewhere they may differ."""
        key = _said(edit)
        if key not in self._seen and (outcome == self._plain or self._counts[outcome] < _SEEN_OF_AN_OUTCOME):
            self._seen[key] = edit, outcome
            self._counts[outcome] += 1

    def promise(self, edit: Mutant, helps: float, outcome: int) -> None:
        """Keeps a mutation that helps at the first few texels, until it is checked at several places."""
        if helps > _LITTLE:
            _put(self._promising, edit, helps, outcome)

    def promising(self) -> list[Mutant]:
        """Returns those to check at several places now, the most promising first, and forgets them."""
        found = [edit for each in _by_help(self._promising) for edit in each.edits]
        self._promising = {}
        return found

    def note(self, edit: Mutant, helps: float, outcome: int) -> None:
        """Keeps a mutation that helps wherever it was checked."""
        if helps > 0.0:
            _put(self._helping, edit, helps, outcome)

    def helping(self, most: int = _NOTED) -> list[HelpingGroup]:
        """Returns those that help, the most helpful first."""
        return _by_help(self._helping)[:most]

    def first(self, most: int) -> list[HelpingGroup]:
        """Returns a few that help, of several lines."""
        found, lines = list[HelpingGroup](), Counter[Line]()
        for each in self.helping():
            line = each.edits[0].line
            lines[line] += 1
            if lines[line] <= _OF_A_LINE:
                found.append(each)
        return found[:most]

    def others(self, lines: Sequence[Line]) -> list[Mutant]:
        """Returns all to combine with a helpful one: first those that help themselves, then those on `lines`.

        Mutations with an effect of their own come before those without.
        """
        helping = [edit for each in self.helping() for edit in each.edits]
        known = {id(edit) for edit in helping}
        named = {*lines}
        rest = sorted(
            ((edit, outcome) for edit, outcome in self._seen.values() if id(edit) not in known),
            key=lambda each: (each[0].line not in named, each[1] == self._plain),
        )
        return [*helping, *(edit for edit, _ in rest)]


def pairs_of(firsts: Sequence[HelpingGroup], others: Sequence[Mutant]) -> Iterator[tuple[Mutant, Mutant]]:
    """Yields every mutation with those before it, `others` in their order."""
    for edit in others:
        for each in firsts:
            if (first := each.besides(edit)) is not None:
                yield first, edit


def _put(into: dict[int, HelpingGroup], edit: Mutant, helps: float, outcome: int) -> None:
    """Adds it to the most helpful ones; equal texts at one place count as one."""
    known = into.get(outcome, HelpingGroup(helps, ()))
    if _said(edit) in map(_said, known.edits):
        return
    # The fewer bytes a mutation covers, the fewer others it overlaps.
    edits = sorted((*known.edits, edit), key=lambda each: each.proposal.stop - each.proposal.start)
    into[outcome] = HelpingGroup(max(helps, known.helps), tuple(edits[:_OF_AN_OUTCOME]))
    if len(into) > _NOTED:
        into.pop(min(into, key=lambda key: into[key].helps))


def _said(edit: Mutant) -> tuple[int, int, str]:
    """Returns the place of a mutation, in bytes, and its text."""
    return edit.proposal.start, edit.proposal.stop, edit.proposal.new


def _by_help(some: Mapping[int, HelpingGroup]) -> list[HelpingGroup]:
    return sorted(some.values(), key=lambda each: -each.helps)


@dataclass(frozen=True)
class EffectGroup:
    """Groups mutations with the same effect as far as known, the shortest first; `readings` belong to that one."""

    each: tuple[Repair, ...]
    readings: Readings


def halves_of(
    harness: Harness, text: MutableProgram, noted: CandidatePool, read: Callable[[Repair], Readings]
) -> Iterator[EffectGroup]:
    """Yields the most helpful mutations of `text`; `read` returns how the pass's reads differ from those with one."""
    for helping in noted.first(_MOST_STRONG):
        written = (line_edits(harness.program, text.edited((edit,))) for edit in helping.edits)
        edits = sorted((each for each in written if each is not None), key=length)
        if edits and helping.helps >= STRONGLY:
            each = tuple(Repair(some, "", 0, 0) for some in edits)
            yield EffectGroup(each, read(each[0]))


class Leftover:
    """Causes of which one may be the residual of a mutation; `known` once one is found."""

    def __init__(self, partners: NumberedCauses | None, seconds: float) -> None:
        self._partners, self._seconds = partners, seconds
        self._wholes: dict[int, NDArray[np.float64] | None] = {}
        # The lines of a mutation that fixes one of two faults, the number of the remaining cause or the remaining
        # factor, and whether it adds to the computation: one that removes something may leave less by chance.
        self.known: tuple[tuple[LineEdit, ...], int, float | None, bool] | None = None

    def know(self, evaluator: Evaluator, plain: Variant) -> Generator[None, None, None]:
        """Computes the first checked values under each cause that may remain, while there is time."""
        values, elements = dict[int, NDArray[np.float64]](), evaluator.first
        if self._partners is None or not len(elements):
            return
        start = time.monotonic()
        for number, some in self._partners.values_at(elements):
            values[number] = some
            yield
            if time.monotonic() - start > _PARTNERS * self._seconds:
                break
        if values:
            evaluator.leave(plain, values)

    def pursue(
        self,
        harness: Harness,
        evaluator: Evaluator,
        text: MutableProgram,
        variant: Variant,
        edit: Mutant,
        left: Sequence[int],
        validation: Validation,
    ) -> bool:
        """Whether one of the causes `left` is the residual of a mutation that is valid; remembers the first one."""
        if self.known is not None or not left:
            return False
        lines = line_edits(harness.program, text.edited((edit,)))
        for number in left if lines is not None else ():
            factor = evaluator.factor_left_by(variant, (edit,)) if number == SCALED else None
            is_left = factor or (number != SCALED and self._is_left(evaluator, variant, edit, number))
            if lines and is_left and not validation.leaves(harness, evaluator, lines):
                self.known = lines, number, factor, edit.proposal.kind in _ADDING
                return True
        return False

    def _is_left(self, evaluator: Evaluator, variant: Variant, edit: Mutant, number: int) -> bool:
        """Whether one cause is the residual of a mutation, for the whole output."""
        assert self._partners is not None
        if number not in self._wholes:
            if len(self._wholes) >= _MOST_WHOLE:
                return False
            self._wholes[number] = self._partners.whole(number)
        whole = self._wholes[number]
        return whole is not None and evaluator.is_left_by(variant, (edit,), whole)
