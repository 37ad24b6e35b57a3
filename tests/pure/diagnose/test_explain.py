"""A finding is a claim: it reproduces the wrong values, or it is not made."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import RESULT_LINE, Array, evidence, graph, right, turned
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.explain import explain, line_to_change
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange, WindowChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.errors import CancelledError


def best(actual: Array, *, activation: bool = False) -> Finding:
    diagnosis = explain(evidence(graph(activation=activation), actual))
    assert diagnosis.failed == ()
    assert diagnosis.findings, diagnosis.unexplained
    return diagnosis.findings[0]


def redone(*changes: WindowChange | InputChange | NodeChange, activation: bool = False) -> Array:
    made = graph(activation=activation)
    whole = FailingPass(evidence(made, right(made))).model_slice.evaluate(changes)
    return np.asarray(whole.reshape(1, 4, 6, 7))


def test_a_pass_that_is_right_has_no_finding() -> None:
    made = graph()
    diagnosis = explain(evidence(made, right(made)))
    assert diagnosis.findings == ()
    assert diagnosis.unexplained == ""


def test_a_bias_left_out_is_named_with_the_line_of_the_result() -> None:
    made = graph()
    found = best(right(made) - made.constants["b"].reshape(1, 4, 1, 1))
    assert (found.cause, found.parameters) == ("bias_missing", {"bias": "b"})
    assert (found.shader, found.line) == ("conv.frag", RESULT_LINE)
    assert found.explained == 1.0
    assert found.residual < 1e-5


def test_the_line_to_change_comes_with_a_sure_name_only_where_the_wrong_thing_is_written() -> None:
    sure = dataclasses.replace(best(right(graph()) * np.float32(0.5)), sure=True, line=RESULT_LINE)
    written = Hypothesis(causes.SCALE, "a factor in the text", is_to_change=True)
    assert line_to_change(sure, written) == ("conv.frag", RESULT_LINE)
    assert line_to_change(sure, dataclasses.replace(written, is_to_change=False)) is None
    for changes in ({"sure": False}, {"explained": 0.9}, {"line": None}):
        assert line_to_change(dataclasses.replace(sure, **changes), written) is None


def test_a_turned_kernel_is_named() -> None:
    assert best(redone(turned())).cause == "kernel_flip"


def test_a_step_to_the_side_is_named_with_its_size() -> None:
    found = best(redone(window_with("conv", first=(-1, 1))))
    assert found.cause == "shift"
    assert found.parameters == {"dx": 2, "dy": 0}


def test_a_factor_comes_before_a_line_with_an_offset() -> None:
    found = best(right(graph()) * np.float32(0.5))
    assert (found.cause, found.parameters) == ("scale", {"factor": 0.5})


def test_two_faults_at_once_are_both_named() -> None:
    diagnosis = explain(evidence(graph(), redone(turned(), window_with("conv", bias=None))))
    assert {found.cause for found in diagnosis.findings} == {"kernel_flip", "bias_missing"}
    assert all("together with" in found.evidence for found in diagnosis.findings)


def test_what_nothing_explains_is_described_and_not_named() -> None:
    actual = right(graph()).copy()
    actual[:, 2] += np.random.default_rng(0).standard_normal((6, 7)).astype(np.float32)
    diagnosis = explain(evidence(graph(), actual))
    assert diagnosis.findings == ()
    assert "42 of 168 elements are wrong" in diagnosis.unexplained
    assert "only in channel 2" in diagnosis.unexplained


def test_the_share_explained_is_counted() -> None:
    made = graph()
    actual = right(made) - made.constants["b"].reshape(1, 4, 1, 1)
    actual[0, 0, 0] += 5.0
    found = best(actual)
    assert found.cause == "bias_missing"
    assert found.explained == pytest.approx((168 - 7) / 168)


def test_elements_that_are_right_have_to_stay_right() -> None:
    made = graph()
    actual = right(made).copy()
    actual[0, 3] = redone(turned())[0, 3]  # one channel of four only
    diagnosis = explain(evidence(made, actual))
    assert all(found.cause != "kernel_flip" for found in diagnosis.findings)


def test_a_bias_left_out_in_one_channel_is_named_with_the_channel() -> None:
    made = graph()
    actual = right(made).copy()
    actual[0, 3] -= made.constants["b"][3]
    found = best(actual)
    assert (found.cause, found.parameters) == ("bias_missing", {"bias": "b", "part": "channel 3 of 4"})


def test_cancelling_ends_the_search() -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        explain(evidence(graph(), right(graph()) * np.float32(0.5)), cancel=cancel)


def test_progress_ends_at_one() -> None:
    shares: list[float] = []
    explain(evidence(graph(), right(graph()) * np.float32(0.5)), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
