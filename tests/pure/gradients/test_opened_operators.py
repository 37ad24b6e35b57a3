"""Operators that run as several nodes: gradients flow through what they are opened into."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real
from tests.pure.gradients.checked import check

LABELS, WEIGHTS = ints(1, 4, 0), floats(0.5, 1.0, 2.0, 1.5, 0.7)


def _node(op_type: str, *inputs: Array, **attributes: Any) -> NodeCase:
    return NodeCase(op_type, inputs, attributes)


LOSSES = ("SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss")
IGNORED = np.array([[1, 4, 0], [2, 4, 3]])

CASES = (
    *(_node(op_type, real(3, 5), LABELS, reduction=kind) for op_type in LOSSES for kind in ("mean", "sum", "none")),
    *(_node(op_type, real(3, 5), LABELS, WEIGHTS) for op_type in LOSSES),
    *(_node(op_type, real(2, 5, 3), IGNORED, WEIGHTS, ignore_index=4) for op_type in LOSSES),
    _node("Attention", real(1, 2, 3, 4), real(1, 2, 5, 4, seed=1), real(1, 2, 5, 4, seed=2)),
    _node(
        "Attention", real(1, 3, 8), real(1, 3, 8, seed=1), real(1, 3, 8, seed=2),
        is_causal=1, q_num_heads=2, kv_num_heads=2,
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_gradient_through_it_is_the_slope(case: NodeCase) -> None:
    check(GradientCase(case, fast=True))
