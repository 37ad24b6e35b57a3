"""Approximations are named by their form; a factor next to one where the operator has a divisor or constant itself."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from pipeline.diagnose.explain import explain
from pipeline.graph import Graph, Node, TensorInfo
from tests.pure.diagnose.synthetic import Array, evidence, inputs

X = np.abs(inputs())


def function(op_type: str) -> Graph:
    """One node from x to y."""
    tensors = {name: TensorInfo(name, X.shape) for name in ("x", "y")}
    node = Node("f", op_type, ("x",), ("y",), opset=20)
    return Graph("test", (node,), MappingProxyType(tensors), ("x",), ("y",), MappingProxyType({}))


def wide(x: Array) -> Array:
    return np.asarray(x, dtype=np.float64)


@pytest.mark.parametrize(
    ("op_type", "says", "actual"),
    [
        ("Tanh", "Tanh as x (27 + x²) / (27 + 9 x²)", wide(X) * (27.0 + wide(X) ** 2) / (27.0 + 9.0 * wide(X) ** 2)),
        ("Exp", "Exp with e^x as (1 + x / 16)^16", (1.0 + wide(X) / 16.0) ** 16),
        ("Exp", "Exp with e^x as its series up to x^3", 1.0 + wide(X) + wide(X) ** 2 / 2.0 + wide(X) ** 3 / 6.0),
        ("Sigmoid", "Sigmoid with e^x as (1 + x / 8)^8", 1.0 / (1.0 + (1.0 - wide(X) / 8.0) ** 8)),
    ],
)
def test_an_approximation_is_named_by_its_form(op_type: str, says: str, actual: Array) -> None:
    found = explain(evidence(function(op_type), actual.astype(np.float32), given=X)).findings[0]
    assert found.cause == "precision"
    assert found.evidence.startswith(says)
    assert "reproduced" in found.evidence


@pytest.mark.parametrize("factor", [0.9991, 1.1])
def test_a_factor_of_an_operator_without_divisors_is_no_precision(factor: float) -> None:
    findings = explain(
        evidence(function("Tanh"), (np.tanh(X) * np.float32(factor)).astype(np.float32), given=X)
    ).findings
    assert "precision" not in [each.cause for each in findings]


def test_a_factor_away_from_one_is_no_precision() -> None:
    findings = explain(evidence(function("Log"), (np.log(X) * np.float32(0.99)).astype(np.float32), given=X)).findings
    assert "precision" not in [each.cause for each in findings]
