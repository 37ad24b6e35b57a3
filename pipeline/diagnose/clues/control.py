"""A control for redraws: what the redrawn program cures without the change that is asked about."""

from __future__ import annotations

from pipeline.diagnose.trial.case import Case


def cures_more(case: Case, name: str, control: str) -> bool:
    """Whether the redraw `name` makes more wrong elements right than the redraw `control` does.

    A redraw's program may differ from the pass's in more than what is asked about: moved reads, for one, go through
    functions of full precision, so that what lowp had rounded comes right however far they are moved.
    """
    return _cured(case, name) > _cured(case, control)


def _cured(case: Case, name: str) -> int:
    found = case.redrawn(name)
    if found is None:
        return 0
    values, covered = found
    return case.judge.only(covered).cures(values[covered]).explained
