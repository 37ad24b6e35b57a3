"""Variances as differences of large numbers: told from what came out, and from other reasons for wrong variances."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from pipeline.diagnose.clues.normalised import Normalised, normalised
from pipeline.diagnose.explain import explain
from pipeline.diagnose.mistakes.cancelled import (
    cancelled,
    implied_variance,
    is_left_of_rounding,
    is_on_steps,
    minus_square,
)
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Graph, Node, TensorInfo
from tests.pure.diagnose.synthetic import SHADER, Array, evidence

SHAPE, VIEW = (2, 3, 4, 5), (6, 20)
CANCELLING = SHADER.replace("sum += ", "sum += 0.0 * (sum - sum * sum) + ")
LINE = 9


def values(mean: float) -> Array:
    """x, 0.5 wide around a large mean."""
    wide = 0.5 * np.random.default_rng(0).standard_normal(SHAPE)
    return np.asarray(wide + mean, dtype=np.float32)


def case_of(x: Array, actual: Array | None = None, shader: str = CANCELLING) -> tuple[Case, Normalised]:
    """A normalisation of the channels of two pictures."""
    sums: dict[str, Any] = {"scale": 1 / 20, "shape": (6,), "view": VIEW, "axes": (1,), "block": 20}
    own = {"view": VIEW, "axes": (1,), "parameters": (1, 1), "epsilon": 0.01, "outside": False}
    nodes = (
        Node("m", "BlockSum", ("x",), ("m",), MappingProxyType(sums | {"term": "value"}), domain="texelscope", opset=1),
        Node(
            "v",
            "BlockSum",
            ("x", "m"),
            ("v",),
            MappingProxyType(sums | {"term": "square"}),
            domain="texelscope",
            opset=1,
        ),
        Node("y", "Normalise", ("x", "m", "v"), ("y",), MappingProxyType(own), domain="texelscope", opset=1),
    )
    tensors = {name: TensorInfo(name, SHAPE) for name in ("x", "y")}
    tensors |= {name: TensorInfo(name, (6,)) for name in ("m", "v")}
    made = Graph("norm", nodes, MappingProxyType(tensors), ("x",), ("y",), MappingProxyType({}))
    case = Case(evidence(made, x if actual is None else actual, given=x, shader=shader))
    found = normalised(case, nodes[-1])
    assert found is not None
    return case, found


def naive(x: Array) -> Array:
    """E[x²] − E[x]² in float32, one addition after the other."""
    groups = x.reshape(VIEW)
    total, squares = np.zeros(6, np.float32), np.zeros(6, np.float32)
    for k in range(20):
        total += groups[:, k]
        squares += groups[:, k] * groups[:, k]
    mean = total / np.float32(20)
    return np.asarray(squares / np.float32(20) - mean * mean, dtype=np.float64).reshape(6, 1)


def with_variance(found: Normalised, variance: Array) -> Array:
    return replace(found, variance=variance).evaluate().reshape(SHAPE)


@pytest.mark.parametrize("mean", [40.0, 80.0, 150.0])
def test_a_difference_of_large_numbers_is_named_on_its_line(mean: float) -> None:
    x = values(mean)
    _, found = case_of(x)
    case, _ = case_of(x, with_variance(found, naive(x)))
    finding = explain(case.evidence).findings[0]
    assert finding.cause == "precision"
    assert finding.line == LINE
    assert "as differences of numbers near" in finding.evidence


def test_the_variance_is_read_off_the_result() -> None:
    x = values(40.0)
    _, found = case_of(x)
    wanted = naive(x)
    made = implied_variance(found, with_variance(found, wanted).reshape(VIEW).astype(np.float64))
    assert made is not None
    np.testing.assert_allclose(made, wanted, rtol=1e-5)
    assert is_on_steps(found, made)
    assert not is_on_steps(found, found.variance * 1.0001234)


def test_variances_below_zero_leave_nan() -> None:
    _, found = case_of(values(3000.0))
    variance = found.variance.copy()
    variance[0] = np.nan
    assert is_left_of_rounding(found, variance)
    _, small = case_of(values(10.0))
    variance = small.variance.copy()
    variance[0] = np.nan
    assert not is_left_of_rounding(small, variance)


@pytest.mark.parametrize(
    "changed",
    [
        lambda v: v + 0.002,  # another epsilon
        lambda v: (v + 0.01) * 1.004 - 0.01,  # another factor
        lambda v: v * np.linspace(0.5, 0.9, 6).reshape(6, 1),  # terms that are missing
    ],
    ids=["epsilon", "scale", "terms"],
)
def test_other_reasons_for_wrong_variances_are_not_taken_for_it(changed: Any) -> None:
    x = values(80.0)
    _, found = case_of(x)
    assert is_left_of_rounding(found, naive(x))
    variance = changed(found.variance)
    assert not is_left_of_rounding(found, variance)
    assert cancelled(case_of(x, with_variance(found, variance))[0]) is None


def test_without_a_square_taken_away_nor_steps_nothing_is_said() -> None:
    x = values(80.0)
    _, found = case_of(x)
    off = found.variance + 0.0005 * np.array([1.0, -1.3, 0.7, 0.21, -0.55, 0.9]).reshape(6, 1)
    assert cancelled(case_of(x, with_variance(found, off))[0]) is not None
    case, _ = case_of(x, with_variance(found, off), SHADER)
    assert minus_square(case) is None
    assert cancelled(case) is None
