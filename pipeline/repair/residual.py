"""Of two faults what an edit of one leaves: a cause that explains nothing alone, or one factor of everything.

Where neither is known, edits that help so much that each may mend one of two faults.
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
from texelscope.pipeline.repair.harness.looked import SCALED
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.read_diff import Readings
from texelscope.pipeline.repair.search_hints import Partnering
from texelscope.pipeline.repair.text.length import length
from texelscope.pipeline.repair.text.patch import line_edits

# The share of a search after which no cause that may be left is worked out any more, and how many are so of the whole
# output.
_PARTNERS, _MOST_WHOLE = 0.2, 12
# What helps so much may mend one of two faults; so many of them are told.
STRONGLY, _MOST_STRONG = 0.5, 3
# Kinds of edits that add to what is done.
_ADDING = frozenset({"added", "put in"})


@dataclass(frozen=True)
class Half:
    """Edits that do the same as far as anybody knows, the shortest first; `readings` are that one's."""

    each: tuple[Repair, ...]
    readings: Readings


def halves_of(
    bench: Harness, text: MutableProgram, noted: CandidatePool, read: Callable[[Repair], Readings]
) -> Iterator[Half]:
    """Those edits of `text` that help the most; `read` tells what the pass reads otherwise than with one."""
    for helping in noted.first(_MOST_STRONG):
        written = (line_edits(bench.program, text.edited((edit,))) for edit in helping.edits)
        edits = sorted((each for each in written if each is not None), key=length)
        if edits and helping.helps >= STRONGLY:
            each = tuple(Repair(some, "", 0, 0) for some in edits)
            yield Half(each, read(each[0]))


class Leftover:
    """Causes one of which may be all that an edit leaves; `known` once one is."""

    def __init__(self, partners: Partnering | None, seconds: float) -> None:
        self._partners, self._seconds = partners, seconds
        self._wholes: dict[int, NDArray[np.float64] | None] = {}
        # An edit that mends one of two faults, as its author's lines, with the number of the cause that is left, or
        # with the factor that is; and whether it adds to what was done: what takes away may leave less by chance.
        self.known: tuple[tuple[LineEdit, ...], int, float | None, bool] | None = None

    def know(self, trials: Evaluator, plain: Variant) -> Generator[None, None, None]:
        """What is seen first under each cause that may be left, as far as there is time for it."""
        values, elements = dict[int, NDArray[np.float64]](), trials.first
        if self._partners is None or not len(elements):
            return
        start = time.monotonic()
        for number, some in self._partners.values_at(elements):
            values[number] = some
            yield
            if time.monotonic() - start > _PARTNERS * self._seconds:
                break
        if values:
            trials.leave(plain, values)

    def pursue(
        self,
        bench: Harness,
        trials: Evaluator,
        text: MutableProgram,
        variant: Variant,
        edit: Mutant,
        left: Sequence[int],
    ) -> bool:
        """Whether one of the causes `left` is all that an edit leaves, and the first one known to be so."""
        if self.known is not None or not left:
            return False
        lines = line_edits(bench.program, text.edited((edit,)))
        for number in left if lines is not None else ():
            factor = trials.factor_left_by(variant, (edit,)) if number == SCALED else None
            if lines and (factor or (number != SCALED and self._is_left(trials, variant, edit, number))):
                self.known = lines, number, factor, edit.proposal.kind in _ADDING
                return True
        return False

    def _is_left(self, trials: Evaluator, variant: Variant, edit: Mutant, number: int) -> bool:
        """Whether one cause is all that an edit leaves, of the whole output."""
        assert self._partners is not None
        if number not in self._wholes:
            if len(self._wholes) >= _MOST_WHOLE:
                return False
            self._wholes[number] = self._partners.whole(number)
        whole = self._wholes[number]
        return whole is not None and trials.is_left_by(variant, (edit,), whole)
