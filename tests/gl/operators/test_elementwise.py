"""Functions of one element: special values come out as ONNX has them, others within half the bound of float64.

Half, because the bound has room for the oracle's rounding in float32 too.
"""

from __future__ import annotations

import dataclasses

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.gl.operators.single_node import NodeCase, opened
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Call, Evaluation
from texelscope.pipeline.operators.families.elementwise import OPERATORS, Unary
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.reference import Reference

# Of truth values and of integers.
NOT_OF_FLOATS = frozenset({"Not", "BitwiseNot"})
OF_FLOATS = [entry for entry in OPERATORS if entry.op_type not in NOT_OF_FLOATS]
OPSET = 24
VARIANTS = [
    NodeCase("Gelu", (None,), {"approximate": "tanh"}, opset=OPSET),
    NodeCase("IsInf", (None,), {"detect_positive": 0}, opset=OPSET),
]


def special_values() -> NDArray[np.float32]:
    """float32 [n]: what shaders get wrong first."""
    halves = np.arange(-3.0, 3.5, 0.5)
    edges = [np.nan, np.inf, -np.inf, 0.0, 1e-30, -1e-30, 3e38, -3e38, 88.0, -88.0, 0.99999994, 1.0000001, -0.99999994]
    return np.concatenate([edges, halves]).astype(np.float32)


def ordinary_values() -> NDArray[np.float32]:
    """float32 [n]: of either sign and all magnitudes that layers have, denser where functions bend."""
    random = np.random.default_rng(3)
    sizes = np.exp(random.uniform(np.log(1e-6), np.log(200.0), 3000))
    return np.concatenate([sizes, -sizes, random.uniform(-1.2, 1.2, 2000)]).astype(np.float32)


def compared(
    case: NodeCase, gl: moderngl.Context
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What the shader makes of the case's input, what float64 does, and half of the operator's bound."""
    with opened(case, "channel_tiles", gl) as session:
        session.run()
        actual = session.tensor("out0").astype(np.float64)
    graph = load(case.model())
    (node,) = graph.nodes
    x = case.inputs[0]
    assert x is not None
    reference = Reference()
    (expected,) = reference.run_node(node, [x.astype(np.float64)])
    assert expected is not None
    entry = next(each for each in OPERATORS if each.op_type == case.op_type)
    evaluation = Evaluation((x,), (None,), expected, lambda inputs: expected, UNIT_ROUNDOFF["float32"])
    with np.errstate(all="ignore"):
        return actual, expected.astype(np.float64), 0.5 * entry.error(Call(node, graph), evaluation)


@pytest.mark.parametrize(
    "case", [*(NodeCase(entry.op_type, (None,), opset=OPSET) for entry in OF_FLOATS), *VARIANTS], ids=str
)
def test_special_values_come_out_as_onnx_has_them(case: NodeCase, gl: moderngl.Context) -> None:
    x = special_values()
    actual, expected, bound = compared(dataclasses.replace(case, inputs=(x,)), gl)
    # A float64 does not overflow where a float32 does.
    with np.errstate(over="ignore"):
        expected = expected.astype(np.float32).astype(np.float64)
    for value, got, want, allowed in zip(x, actual, expected, bound, strict=True):
        same = got == want or (np.isnan(got) and np.isnan(want))
        assert same or abs(got - want) <= allowed, f"f({value}) = {got}, not {want}"


@pytest.mark.parametrize(
    "case", [*(NodeCase(entry.op_type, (None,), opset=OPSET) for entry in OF_FLOATS), *VARIANTS], ids=str
)
def test_rounding_stays_within_half_the_bound(case: NodeCase, gl: moderngl.Context) -> None:
    x = ordinary_values()
    actual, expected, bound = compared(dataclasses.replace(case, inputs=(x,)), gl)
    with np.errstate(all="ignore"):
        wrong = ~((np.abs(actual - expected) <= bound) | (np.isnan(actual) & np.isnan(expected)) | (actual == expected))
    wrong &= ~(np.abs(expected) > np.finfo(np.float32).max)
    worst = np.flatnonzero(wrong)[:3]
    assert worst.size == 0, [(x[i], actual[i], expected[i], abs(actual[i] - expected[i]) / bound[i]) for i in worst]


@pytest.mark.parametrize("entry", OF_FLOATS, ids=lambda entry: entry.op_type)
def test_the_bound_is_no_wider_than_a_hundred_thousandth_where_values_are_small(entry: Unary) -> None:
    x = np.linspace(0.1, 0.9, 50, dtype=np.float32)
    graph = load(NodeCase(entry.op_type, (x,), opset=OPSET).model())
    (expected,) = Reference().run_node(graph.nodes[0], [x])
    assert expected is not None
    evaluation = Evaluation((x,), (None,), expected, lambda inputs: expected, UNIT_ROUNDOFF["float32"])
    with np.errstate(all="ignore"):
        assert np.nanmax(entry.error(Call(graph.nodes[0], graph), evaluation), initial=0.0) < 1e-5
