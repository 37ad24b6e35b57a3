"""Tests that an explanation of one input is checked on others: it fails, stands alone, or is one of several."""

from __future__ import annotations

import dataclasses
import itertools
import math
import operator
import time
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, inputs, right
from texelscope.pipeline.diagnose import causes, cross_validation, search
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.judging import try_out
from texelscope.pipeline.diagnose.trial.model_edits import input_through, output_through, times, window_with
from texelscope.pipeline.graph import Graph, Node, TensorInfo

RECTIFIED = output_through(lambda y: np.maximum(y, 0.0))


def made_by(change: ModelEdit, given: Array, *others: ModelEdit, alike: bool = True) -> Evidence:
    model = graph()
    start = evidence(model, right(model), given=given)
    actual = FailingPass(start).model_slice.evaluate((change, *others)).reshape(1, 4, 6, 7)
    return dataclasses.replace(
        evidence(model, actual, given=given), facts=MappingProxyType({"alike": alike, "inputs": "others"})
    )


def found(change: ModelEdit, *others: Evidence) -> Evidence:
    return dataclasses.replace(made_by(change, inputs()), fresh=others)


def test_what_holds_on_other_inputs_alone_is_sure() -> None:
    change = window_with("conv", bias=None)
    first = explain(found(change, made_by(change, -2.0 * inputs()))).findings[0]
    assert (first.cause, first.sure, first.one_of) == ("bias_missing", True, ())


@pytest.mark.parametrize("limit", ["number", "clock"])
def test_what_was_not_held_against_all_its_rivals_is_not_sure(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if limit == "number":
        monkeypatch.setattr(cross_validation, "RIVALS", 0)
    else:
        monkeypatch.setattr(search, "SEARCH_SECONDS", math.inf)
        readings = itertools.accumulate(itertools.repeat(9.0), operator.mul)
        monkeypatch.setattr(time, "thread_time", lambda: next(readings))
    change = window_with("conv", bias=None)
    first = explain(found(change, made_by(change, -2.0 * inputs()))).findings[0]
    assert (first.cause, first.sure, first.one_of) == ("bias_missing", False, ())


def test_a_factor_that_may_as_well_be_twice_as_large_is_no_factor() -> None:
    """A bound that is gone is not 255 times as large."""
    limit = np.full((1, 3, 6, 7), 0.25, np.float32)
    tensors = {name: TensorInfo(name, limit.shape) for name in ("x", "b", "y")}
    node = Node("bound", "Min", ("x", "b"), ("y",), opset=20)
    model = Graph("bounded", (node,), MappingProxyType(tensors), ("x",), ("y",), MappingProxyType({"b": limit}))
    for actual, factor, expected in ((inputs(), 255.0, True), (np.minimum(inputs(), 0.5), 2.0, False)):
        case, changes = FailingPass(evidence(model, actual)), (input_through("b", times(factor)),)
        hypothesis = Hypothesis(causes.SCALE, "", changes)
        score = try_out(case, hypothesis)
        assert score is not None
        assert score.is_whole
        assert cross_validation.is_without_end(case, hypothesis) is expected
        assert not cross_validation.is_without_end(case, dataclasses.replace(hypothesis, cause=causes.ALPHA))


def test_what_fails_on_other_inputs_is_not_said() -> None:
    """Twice the right values here, and three times those on another input: no factor."""
    actual = explain(found(output_through(times(2.0)), made_by(output_through(times(3.0)), 0.5 * inputs())))
    assert "scale" not in {each.cause for each in actual.findings}
    assert actual.unexplained


def test_what_no_input_tells_apart_is_one_of_several() -> None:
    findings = explain(found(RECTIFIED, made_by(RECTIFIED, 3.0 * inputs()))).findings
    assert {each.cause for each in findings} >= {"activation_extra", "clamped_nonnegative"}
    assert not any(each.sure for each in findings)
    assert findings[1].cause in findings[0].one_of
    assert findings[0].cause not in findings[0].one_of


@pytest.mark.parametrize("alike", [True, False])
def test_inputs_beyond_those_at_hand_judge_only_between_rivals(*, alike: bool) -> None:
    """A shader may be right in the range of its inputs alone: what no hypothesis explains outside says nothing."""
    change = window_with("conv", bias=None)
    beyond = made_by(output_through(times(5.0)), 40.0 * inputs(), alike=alike)
    first = explain(found(change, made_by(change, -inputs()), beyond)).findings[0]
    assert first.cause == "bias_missing"
    assert first.sure is not alike
