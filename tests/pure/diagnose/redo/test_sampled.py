"""A sample of a redone layer has the values that the whole of it has."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.redo.sampled import evaluate_at
from pipeline.diagnose.rules.registry import all_rules
from pipeline.diagnose.trial.case import Case
from tests.pure.diagnose.synthetic import evidence, graph, right

_COUNT = 168


@pytest.mark.parametrize("cause", sorted(all_rules()))
def test_every_proposal_gives_the_same_on_a_sample_as_on_the_whole(cause: str) -> None:
    made = graph(activation=True)
    actual = right(made) * np.float32(0.7)
    actual[0, 1, 2:] -= 1.0
    case = Case(evidence(made, actual))
    places = np.arange(0, _COUNT, 5)
    for hypothesis in all_rules()[cause].propose(case):
        changes: tuple[Change, ...] = hypothesis.changes
        if changes:
            whole = case.redo.evaluate(changes).reshape(-1)[places]
            some = evaluate_at(case.redo, changes, places)
            np.testing.assert_allclose(some, whole, rtol=1e-4, atol=1e-4, err_msg=hypothesis.says)
