"""GridSample: every mode and padding matches the oracle, which matches onnx.reference."""

from __future__ import annotations

import itertools

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase, assert_fast_is_reference, assert_matches, normal
from texelscope import pipeline

MODES = ("nearest", "linear", "cubic")
PADDINGS = ("zeros", "border", "reflection")


def grid(*shape: int) -> Array:
    """Places inside, on the edge, a little and far outside, and on the border between two elements."""
    places = 1.6 * np.random.default_rng(9).uniform(-1, 1, shape).astype(np.float32)
    places.reshape(-1)[:6] = (-1, 1, 0, 0.5, -0.5, 3.7)
    return places


CASES = [
    *(
        NodeCase(
            "GridSample",
            (normal(2, 3, 4, 5), grid(2, 3, 4, 2)),
            {"mode": mode, "padding_mode": padding, "align_corners": aligned},
            opset=22,
        )
        for mode, padding, aligned in itertools.product(MODES, PADDINGS, (0, 1))
    ),
    *(
        NodeCase(
            "GridSample",
            (normal(2, 2, 3, 4, 5), grid(2, 2, 3, 2, 3)),
            {"mode": mode, "padding_mode": padding},
            opset=22,
        )
        for mode, padding in zip(MODES[:2], PADDINGS[1:], strict=True)
    ),
    NodeCase("GridSample", (normal(1, 1, 4, 5), grid(1, 3, 4, 2)), {"mode": "bicubic"}, opset=16),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_mode_and_padding_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in ("channel_tiles", "row_major_rgba"):
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES[:-1], ids=str)
def test_the_oracle_gathers_what_the_reference_walks(case: NodeCase) -> None:
    assert_fast_is_reference(case)


def test_a_volume_of_more_axes_is_refused_by_name() -> None:
    case = NodeCase("GridSample", (normal(1, 1, 2, 2, 2, 2), normal(1, 2, 2, 2, 2, 4)), opset=22)
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert "expected two or three spatial axes, mode nearest, linear or cubic, got [1, 1, 2, 2, 2, 2]" in missing.reason
