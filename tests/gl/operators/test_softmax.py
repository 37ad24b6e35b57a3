"""Softmax, LogSoftmax and Hardmax in both of their axis rules, over short axes and long ones."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope import pipeline

KINDS = ("Softmax", "LogSoftmax", "Hardmax")
X = 4.0 * normal(2, 3, 4, 5)
CASES = [
    *(NodeCase(kind, (X,), {"axis": axis}) for kind in KINDS for axis in (0, 1, -1)),
    *(NodeCase(kind, (X,), {"axis": 2}, opset=11) for kind in KINDS),
    *(NodeCase(kind, (X,), opset=11) for kind in KINDS),
    NodeCase("Softmax", (normal(7),)),
]
LONG = [
    NodeCase(kind, (3.0 * normal(*shape),), {"axis": axis})
    for kind in ("Softmax", "LogSoftmax")
    for shape, axis in (((2, 5000), 1), ((1100, 3, 1), 0), ((3, 1500, 2), -2))
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_both_axis_rules_match_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", [CASES[1], CASES[9], CASES[4]], ids=str)
def test_every_element_reads_its_whole_axis(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


@pytest.mark.parametrize("case", LONG, ids=str)
def test_a_long_axis_has_its_largest_element_and_its_sum_as_passes(case: NodeCase, gl: moderngl.Context) -> None:
    names = [each.name for each in pipeline.plan_of(case.model()).passes]
    if case.inputs[0] is not None and max(case.inputs[0].shape) > 4096:
        assert names.pop(0) == "node/largest/blocks"
    assert names == ["node/largest", "node/sum/blocks", "node/sum", "node"]
    (y,) = assert_matches(case, "row_major_rgba", gl)
    total = (y if case.op_type == "Softmax" else np.exp(y)).sum(axis=int(str(case.attributes["axis"])))
    np.testing.assert_allclose(total, 1.0, rtol=1e-4)
