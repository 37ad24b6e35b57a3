"""Which hypotheses come nearest, where none explains anything whole: of two faults one alone leaves smaller errors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis

# Elements that are looked at; what leaves more than this share of their errors is no part of the truth.
_ELEMENTS, _LEFT = 40, 0.85
# Of one cause so many, of all so many.
_OF_CAUSE, MOST = 2, 8
# An error counts as this many times the usual one at most: some are beyond all measure.
_CAP = 4.0


def nearest(case: FailingPass, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Those that leave least of the errors, the best first; of those that take nothing from the wrong values."""
    wrong = case.sample[case.wrong.reshape(-1)[case.sample]]
    elements = wrong[np.linspace(0, len(wrong) - 1, min(_ELEMENTS, len(wrong))).astype(np.int64)]
    actual = case.actual.reshape(-1)[elements].astype(np.float64)
    before = np.abs(actual - case.expected.reshape(-1)[elements])
    finite = before[np.isfinite(before)]
    cap = _CAP * float(np.median(finite)) if len(finite) else 0.0
    found: list[tuple[float, int, Hypothesis]] = []
    for number, each in enumerate(hypotheses if cap else ()):
        if each.fitted or not each.changes:
            continue
        try:
            away = np.abs(actual - case.evaluate_at(each.changes, elements))
        except DoesNotApplyError:
            continue
        left = np.nan_to_num(away, nan=cap, posinf=cap).clip(max=cap).mean() / before.clip(max=cap).mean()
        if left < _LEFT:
            found.append((float(left), number, each))
    chosen: list[Hypothesis] = []
    for _, _, each in sorted(found, key=lambda entry: entry[:2]):
        if sum(other.cause == each.cause for other in chosen) < _OF_CAUSE and len(chosen) < MOST:
            chosen.append(each)
    return chosen
