"""Accumulators that go on: over the rows of a window, redone as a shader does it that forgets to reset one."""

from __future__ import annotations

import numpy as np

from tests.pure.diagnose.synthetic import evidence, graph, inputs
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.hypotheses.extra_terms import over_lanes, over_rows
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass


def _rows_kept() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """x convolved as by `sum += row` after each row inside the picture, where `row` is never set to zero."""
    made, x = graph(), np.pad(inputs(), ((0, 0), (0, 0), (1, 1), (1, 1)))
    w, b = made.constants["w"], made.constants["b"]
    result = np.zeros((1, 4, 6, 7), dtype=np.float32)
    for o, y, column in np.ndindex(4, 6, 7):
        row = total = 0.0
        for p in range(3):
            if 0 <= y + p - 1 < 6:
                row += float((x[0, :, y + p, column : column + 3] * w[o, :, p]).sum())
                total += row
        result[0, o, y, column] = total + b[o]
    return result


def test_rows_that_go_on_are_redone() -> None:
    case = FailingPass(evidence(graph(), _rows_kept()))
    [running] = over_rows(case)
    made = case.model_slice.evaluate([running.change])
    np.testing.assert_allclose(made, _rows_kept(), rtol=1e-4, atol=1e-5)


def test_rows_that_go_on_are_named() -> None:
    found = explain(evidence(graph(), _rows_kept())).findings
    assert (found[0].cause, found[0].parameters["of"]) == ("accumulator_not_reset", "rows")


def test_a_layout_of_one_lane_has_no_lanes_to_go_on_over() -> None:
    assert list(over_lanes(FailingPass(evidence(graph(), _rows_kept())))) == []
