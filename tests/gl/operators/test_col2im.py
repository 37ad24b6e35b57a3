"""Col2Im matches the oracle for every kind of window, and reads what it says."""

from __future__ import annotations

import moderngl
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, ints, normal
from texelscope import pipeline


def col2im(x: tuple[int, ...], image: tuple[int, ...], block: tuple[int, ...], **attributes: list[int]) -> NodeCase:
    return NodeCase("Col2Im", (normal(*x), ints(*image), ints(*block)), attributes, constant=(1, 2))


CASES = [
    col2im((2, 12, 20), (5, 6), (2, 2)),
    col2im((1, 9, 9), (6, 6), (3, 3), strides=[2, 2], pads=[1, 1, 0, 0]),
    col2im((1, 8, 16), (5, 6), (2, 2), dilations=[2, 3], pads=[1, 0, 0, 1]),
    col2im((1, 16, 8), (3, 3, 3), (2, 2, 2)),
    col2im((2, 6, 4), (9,), (3,), strides=[2]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_element_reads_the_windows_that_cover_it(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


def test_four_spatial_axes_are_refused_by_name() -> None:
    case = col2im((1, 1, 16), (2, 2, 2, 2), (1, 1, 1, 1))
    (missing,) = pipeline.plan_of(case.model()).not_run
    assert missing.reason.startswith("Col2Im 'node' (Col2Im): expected at most three spatial axes, got 4.")
