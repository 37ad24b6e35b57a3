"""A normalisation redone: the right one is the oracle's, and each change of it is what a shader would give."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.fault_models.layer_parts import ROOTS, Normalised, normalised
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Graph, Node, TensorInfo

SHAPE = (2, 3, 4, 5)


def case_of(actual: Array | None = None) -> tuple[FailingPass, Normalised]:
    """Returns a batch normalisation of three channels."""
    random = np.random.default_rng(0)
    x = random.standard_normal(SHAPE).astype(np.float32)
    parameters = {name: random.random(3).astype(np.float32) + np.float32(0.5) for name in ("s", "b", "m", "v")}
    node = Node("y", "BatchNormalization", ("x", *parameters), ("y",), MappingProxyType({"epsilon": 0.01}), opset=20)
    tensors = {name: TensorInfo(name, SHAPE) for name in ("x", "y")}
    tensors |= {name: TensorInfo(name, (3,)) for name in parameters}
    made = Graph("norm", (node,), MappingProxyType(tensors), ("x",), ("y",), MappingProxyType(parameters))
    values = x if actual is None else actual
    case = FailingPass(evidence(made, values, given=x))
    found = normalised(case, node)
    assert found is not None
    return case, found


def test_unchanged_it_is_the_oracles() -> None:
    case, found = case_of()
    np.testing.assert_allclose(found.evaluate(), case.expected, rtol=1e-5, atol=1e-6)


def test_another_epsilon_is_fitted() -> None:
    _, found = case_of()
    [finding] = explain(case_of(replace(found, epsilon=0.0437).evaluate())[0].evidence).findings
    assert finding.cause == "epsilon"
    assert finding.parameters["got"] == pytest.approx(0.0437, rel=1e-3)


@pytest.mark.parametrize("root", ROOTS)
def test_every_root_differs_from_the_right_one_where_epsilon_counts(root: str) -> None:
    _, found = case_of()
    changed = ROOTS[root](found.variance, found.epsilon)
    same = root == found.root
    assert np.allclose(changed, np.sqrt(found.variance + found.epsilon), rtol=1e-4) == same
