"""Reductions and normalisations where several elements are the largest, or all are zero."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.pure.gradients.checked import taken

TIED = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [0.5, 4.0, 1.0]], dtype=np.float32)


@pytest.mark.parametrize(("op_type", "x"), [("ReduceMax", TIED), ("ReduceMin", -TIED)])
def test_elements_that_are_equally_extreme_share_evenly(op_type: str, x: Array) -> None:
    run = taken(GradientCase(NodeCase(op_type, (x, ints(1)), {"keepdims": 1}, (1,))))
    shares = np.array([[0.0, 1 / 2, 1 / 2], [1 / 3, 1 / 3, 1 / 3], [0.0, 1.0, 0.0]])
    np.testing.assert_allclose(run.gradients["in0"], run.seed * shares)


@pytest.mark.parametrize("op_type", ["ReduceL1", "ReduceL2"])
def test_the_norm_of_nothing_has_no_gradient(op_type: str) -> None:
    run = taken(GradientCase(NodeCase(op_type, (np.zeros((2, 3), np.float32), ints(1)), {}, (1,))))
    assert run.gradients["in0"].tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("row", [[2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
def test_a_product_passes_on_the_product_of_the_others_beside_zeros_too(row: list[float]) -> None:
    run = taken(GradientCase(NodeCase("ReduceProd", (np.array(row, np.float32),), {"keepdims": 0})))
    others = [np.prod([x for other, x in enumerate(row) if other != place]) for place in range(3)]
    np.testing.assert_allclose(run.gradients["in0"], run.seed * np.array(others))


@pytest.mark.parametrize(
    ("op_type", "attributes"),
    [("LpNormalization", {"p": 1}), ("LpNormalization", {"p": 2}), ("MeanVarianceNormalization", {"axes": [1]})],
)
def test_what_is_zero_all_over_is_normalised_with_a_finite_gradient(op_type: str, attributes: dict[str, int]) -> None:
    run = taken(GradientCase(NodeCase(op_type, (np.zeros((2, 3), np.float32),), attributes), fast=True))
    assert np.isfinite(run.gradients["in0"]).all()
