"""Solves for unknown numbers of mutations: the value that makes a few texels right, from their errors.

A literal, a factor or a summand becomes a variable in the mutant schema, and `solving` finds its number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Variant
from texelscope.pipeline.repair.harness.solving import solved, ways_to_write
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.text.mutation import UNKNOWN

# Numbers further apart than this relative difference are different.
_OTHER = 1e-6


def fitted(
    evaluator: Evaluator, variant: Variant, edit: Mutant, is_late: Callable[[], bool]
) -> Iterator[tuple[Mutant, ...]]:
    """Yields the mutation with the number that fixes everything, in each spelling, the shortest first.

    Each spelling comes without parentheses first, then with them.
    """
    start = _neutral(edit)
    value = solved(lambda number: evaluator.errors(variant, (_with(edit, number),)), start)
    if value is None or abs(value - start) <= _OTHER * max(abs(start), 1.0):
        return
    is_factor = edit.proposal.template.endswith(f"* {UNKNOWN})")
    for shown, number in sorted(ways_to_write(value, is_factor=is_factor), key=_letters):
        made = _with(edit, number)
        if is_late():
            return
        if evaluator.is_right_first(variant, (made,)) and evaluator.is_right(variant, (made,)):
            yield tuple(_said(made, shown))


def _letters(written: tuple[str, float]) -> int:
    return len(written[0])


def _with(edit: Mutant, number: float) -> Mutant:
    return dataclasses.replace(edit, proposal=dataclasses.replace(edit.proposal, values=(number, number)))


def _said(edit: Mutant, shown: str) -> Iterator[Mutant]:
    """Yields the mutation as text, without parentheses first."""
    proposal = edit.proposal
    template = proposal.template if "/" not in shown else proposal.template.replace(f"* {UNKNOWN}", UNKNOWN)
    new = template.replace(UNKNOWN, shown)
    is_closed = new.startswith("(") and new.endswith(")") and new != shown
    for text in (new[1:-1], new) if is_closed else (new,):
        yield dataclasses.replace(edit, proposal=dataclasses.replace(proposal, new=text))


def _neutral(edit: Mutant) -> float:
    """Returns the number with which the mutation changes nothing."""
    template = edit.proposal.template
    if template == UNKNOWN:
        try:
            return float(edit.proposal.old.rstrip("fFlL"))
        except ValueError:
            return 1.0
    return 0.0 if f"+ {UNKNOWN}" in template else 1.0
