"""DeformConv matches the oracle for every kind of window, which matches onnx.reference."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, normal
from texelscope import pipeline
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.reference import Reference


def deform(
    x: tuple[int, ...], w: tuple[int, ...], out: tuple[int, int], groups: int = 1, **attributes: object
) -> NodeCase:
    taps = w[2] * w[3] * groups
    offset = 1.5 * normal(x[0], 2 * taps, *out, seed=3)
    mask, bias = np.abs(normal(x[0], taps, *out, seed=5)), normal(w[0], seed=4)
    inputs = (normal(*x), normal(*w, seed=2), offset, bias, mask)
    return NodeCase("DeformConv", inputs, {"offset_group": groups} | attributes)


CASES = [
    deform((2, 4, 5, 6), (3, 4, 3, 2), (5, 5), pads=[1, 0, 1, 0]),
    deform((1, 4, 6, 6), (6, 2, 2, 3), (4, 2), groups=2, group=2, strides=[1, 2], dilations=[2, 1]),
    NodeCase("DeformConv", (normal(1, 2, 4, 4), normal(3, 2, 2, 2, seed=2), normal(1, 8, 3, 3, seed=3))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_oracle_gathers_what_the_reference_walks(case: NodeCase) -> None:
    (node,) = load(case.model()).nodes
    (fast,), (slow,) = (Reference(fast=fast).run_node(node, case.inputs) for fast in (True, False))
    assert fast is not None
    assert slow is not None
    np.testing.assert_allclose(fast, slow, rtol=1e-4, atol=1e-4)


def test_other_than_pictures_are_refused_by_name() -> None:
    case = NodeCase("DeformConv", (normal(1, 2, 5), normal(3, 2, 2), normal(1, 2, 4)), output_shape=(1, 3, 4))
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert "expected two spatial axes, got an input of shape [1, 2, 5]" in missing.reason


@pytest.mark.parametrize(
    ("shapes", "attributes", "said"),
    [
        (((1, 3, 4, 4), (3, 2, 2, 2), (1, 8, 3, 3)), {}, "expected an input of 2 channels, as its weight in 1 groups"),
        (((1, 2, 4, 4), (3, 2, 2, 2), (1, 6, 3, 3)), {}, "expected offsets of shape [1, 8, 3, 3], got [1, 6, 3, 3]"),
        (((1, 2, 4, 4), (3, 2, 2, 2), (1, 8, 3, 3), (3,), (1, 3, 3, 3)), {}, "expected a mask of shape [1, 4, 3, 3]"),
        (((1, 2, 4, 4), (3, 2, 2, 2), (1, 8, 3, 3), (2,)), {}, "expected a bias of 3 elements, got one of [2]"),
        (((1, 2, 4, 4), (3, 2, 2, 2), (1, 24, 3, 3)), {"offset_group": 3}, "channels in whole offset groups"),
    ],
)
def test_inputs_that_do_not_go_together_are_refused_by_name(
    shapes: tuple[tuple[int, ...], ...], attributes: dict[str, int], said: str
) -> None:
    inputs = tuple(normal(*shape) for shape in shapes)
    case = NodeCase("DeformConv", inputs, attributes, output_shape=(1, 3, 3, 3))
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert said in missing.reason
