"""Recorded: what a program was seen to make stands for its meaning, as long as its inputs are what they were."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.recorded import OPERATORS
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

GIVEN, MADE = np.array([1.0, -4.0], dtype=np.float32), np.array([2.0, 8.0], dtype=np.float32)
NODE = Node("p", "Recorded", ("x", "x0", "y0"), ("y",), {"program": "MyProgram"}, OWN_DOMAIN)
GRAPH = Graph(
    "g", (NODE,), {name: TensorInfo(name, (2,)) for name in ("x", "x0", "y0", "y")}, ("x",), ("y",),
    {"x0": GIVEN, "y0": MADE},
)  # fmt: skip


def of(given: NDArray[np.float32]) -> float:
    """The largest bound for those inputs."""
    expected = GraphOracle(GRAPH).isolated({"x": given}, "y")
    assert expected is not None
    np.testing.assert_array_equal(expected.value, MADE)
    assert expected.bound is not None
    return float(expected.bound.max())


def test_rounding_of_inputs_widens_the_bound_and_other_inputs_have_no_answer() -> None:
    assert 0.0 < of(GIVEN) < 1e-4 < of(GIVEN + np.float32(2e-4)) < 1e-2
    for other in (GIVEN + np.float32(0.1), np.array([np.nan, -4.0], dtype=np.float32)):
        with pytest.raises(UnsupportedError, match=r"recording of 'MyProgram': expected the inputs that it was"):
            of(other)


def test_it_has_no_shader_of_its_own() -> None:
    with pytest.raises(
        UnsupportedError, match=r"Recorded 'p' \(g\): expected the program itself as the pass, got none"
    ):
        OPERATORS[0].kernel(Call(NODE, GRAPH))
