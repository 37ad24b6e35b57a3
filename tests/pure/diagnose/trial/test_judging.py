"""Tests that the effect of storage on right values counts as nothing else."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np

from tests.pure.diagnose.synthetic import evidence, graph, right
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.model_slice.model_slice import OutputChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.judging import try_out


def test_what_explains_no_more_than_storing_does_is_not_tried_on_everything() -> None:
    actual = right(graph())
    actual[:, :2] *= 1.01
    found = evidence(graph(), actual.astype(np.float16).astype(np.float32))
    key = found.shader_pass.output
    stored = dataclasses.replace(found.plan.textures[key], storage="float16")
    plan = dataclasses.replace(found.plan, textures=MappingProxyType({**found.plan.textures, key: stored}))
    case = FailingPass(dataclasses.replace(found, plan=plan))
    case.bound = np.zeros_like(case.bound)  # storing counts as wrong, as where it explains every error
    case = case.without(np.zeros(case.dims, dtype=bool))

    def score(factor: float) -> float:
        wrong = OutputChange(lambda y: np.concatenate([y[:, :2] * factor, y[:, 2:]], axis=1), pointwise=False)
        tried = try_out(case, Hypothesis(causes.SCALE, "", (wrong,)))
        return tried.share if tried is not None else 0.0

    assert 0 < case.by_storing < np.count_nonzero(case.wrong)
    assert score(1.0) == 0.0
    assert score(1.01) == 1.0
