"""Judges how well a hypothesis explains a case: on a few elements first, on all of them if that is promising."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.judge import Judge, Score
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis

Array = NDArray[Any]

# A hypothesis is tried on the whole output if it explains this share of the sample.
_PROMISING, _PROMISING_KEPT = 0.1, 0.8
_NEARLY_WHOLE = 0.9


def try_out(case: FailingPass, hypothesis: Hypothesis, *, parts: bool = True) -> Score | None:
    """Returns the score on everything; None if the sample rules it out, or if it does not apply.

    None too if it has as many fitted numbers as it explains. Without `parts` only a hypothesis that explains the whole
    sample is tried on everything.
    """
    score = _on_everything(case, hypothesis, parts=parts)
    return score if score is not None and score.bears(hypothesis.fitted) else None


def _on_everything(case: FailingPass, hypothesis: Hypothesis, *, parts: bool) -> Score | None:
    try:
        if hypothesis.within is not None:
            return case.judge.within(hypothesis.within.reshape(case.dims))
        if hypothesis.values is not None:
            return _of_values(case, hypothesis)
        score = _on_sample(case, hypothesis)
        if score is None or not _is_promising(case, score):
            return None
        if not (parts or score.share >= _NEARLY_WHOLE):
            return None
        return case.judge.reproduces(case.evaluate(hypothesis.changes))
    except DoesNotApplyError:
        return None


def try_quickly(case: FailingPass, hypothesis: Hypothesis) -> Score | None:
    """Returns the score on the sample alone; None if a few elements rule it out, or if it does not apply."""
    try:
        return _on_sample(case, hypothesis)
    except DoesNotApplyError:
        return None


def explained_by(case: FailingPass, hypothesis: Hypothesis) -> NDArray[np.bool_]:
    """Returns a mask of the wrong elements that a hypothesis with `values` reproduces, in the 4-d view."""
    assert hypothesis.values is not None
    return covered_by(case, hypothesis) & case.judge.explained_by(hypothesis.values.reshape(case.dims))


def changed_by(case: FailingPass, intervention: Hypothesis) -> int:
    """Counts the wrong elements that change under an intervention by more than their bound."""
    assert intervention.values is not None
    same = Judge(case.actual, intervention.values.reshape(case.dims), case.bound)
    return int(np.count_nonzero(same.wrong() & case.wrong & covered_by(case, intervention)))


def covered_by(case: FailingPass, hypothesis: Hypothesis) -> NDArray[np.bool_]:
    """Returns a mask of the elements about which a hypothesis with `values` says something, in the 4-d view."""
    return case.all_elements if hypothesis.covers is None else hypothesis.covers.reshape(case.dims)


def _is_promising(case: FailingPass, score: Score) -> bool:
    """Whether a sample's score justifies the whole output."""
    tells = score.explained > min(case.by_storing, score.wrong - 1)
    return tells and score.share >= _PROMISING and score.kept >= _PROMISING_KEPT


def _of_values(case: FailingPass, hypothesis: Hypothesis) -> Score | None:
    assert hypothesis.values is not None
    values, judge = hypothesis.values.reshape(case.dims), case.judge
    is_sampled = hypothesis.covers is None and not (hypothesis.is_intervention or hypothesis.observed)
    if is_sampled and not _is_promising(case, case.sampled.reproduces(values.reshape(-1)[case.sample])):
        return None
    if hypothesis.covers is not None:
        covered = covered_by(case, hypothesis)
        values, judge = values[covered], judge.only(covered)
    return judge.interventions(values) if hypothesis.is_intervention else judge.reproduces(values)


def _on_sample(case: FailingPass, hypothesis: Hypothesis) -> Score | None:
    if case.glance is not None:
        elements, judge = case.glance
        if not judge.reproduces(case.evaluate_at(hypothesis.changes, elements)).explained:
            return None
    return case.sampled.reproduces(case.evaluate_at(hypothesis.changes, case.sample))
