"""Recognises the residual of a mutation that fixes one of two faults: a cause that explains nothing alone, or a factor.

If neither fits, it finds mutations that help so much that each may fix one of two faults.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.repair.candidate_pool import CandidatePool
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness, Variant
from texelscope.pipeline.repair.harness.spot_check import SCALED
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import Partnering
from texelscope.pipeline.repair.read_diff import Readings
from texelscope.pipeline.repair.text.patch import line_edits
from texelscope.pipeline.repair.text.preferred import length

# After this share of a search no more residuals are computed; at most this many are computed for the whole output.
_PARTNERS, _MOST_WHOLE = 0.2, 12
# A mutation that helps this much may fix one of two faults; at most this many are reported.
STRONGLY, _MOST_STRONG = 0.5, 3
# Mutation operators that add to the computation.
_ADDING = frozenset({"added", "put in"})


@dataclass(frozen=True)
class Half:
    """Groups mutations with the same effect as far as known, the shortest first; `readings` belong to that one."""

    each: tuple[Repair, ...]
    readings: Readings


def halves_of(
    harness: Harness, text: MutableProgram, noted: CandidatePool, read: Callable[[Repair], Readings]
) -> Iterator[Half]:
    """Yields the most helpful mutations of `text`; `read` returns how the pass's reads differ from those with one."""
    for helping in noted.first(_MOST_STRONG):
        written = (line_edits(harness.program, text.edited((edit,))) for edit in helping.edits)
        edits = sorted((each for each in written if each is not None), key=length)
        if edits and helping.helps >= STRONGLY:
            each = tuple(Repair(some, "", 0, 0) for some in edits)
            yield Half(each, read(each[0]))


class Leftover:
    """Causes of which one may be the residual of a mutation; `known` once one is found."""

    def __init__(self, partners: Partnering | None, seconds: float) -> None:
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
    ) -> bool:
        """Whether one of the causes `left` is the residual of a mutation; remembers the first one."""
        if self.known is not None or not left:
            return False
        lines = line_edits(harness.program, text.edited((edit,)))
        for number in left if lines is not None else ():
            factor = evaluator.factor_left_by(variant, (edit,)) if number == SCALED else None
            if lines and (factor or (number != SCALED and self._is_left(evaluator, variant, edit, number))):
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
