"""DFT: forwards and back, real and complex, whole and one half, along any axis and cut or filled to a length."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope import pipeline


def dft(shape: tuple[int, ...], axis: int, length: int | None = None, **attributes: int) -> NodeCase:
    sizes = None if length is None else np.array(length, dtype=np.int64)
    inputs = (normal(*shape), sizes, np.array(axis, dtype=np.int64))
    return NodeCase("DFT", inputs, attributes, constant=(2,) if length is None else (1, 2), opset=20)


CASES = [
    dft((2, 10, 3, 1), 1),
    dft((2, 9, 3, 2), 2),
    dft((2, 9, 2), -2, inverse=1),
    dft((1, 10, 4, 1), 1, onesided=1),
    dft((1, 6, 4, 2), 1, inverse=1, onesided=1),
    dft((1, 10, 1), 1, length=7),
    dft((1, 10, 2), 1, length=16),
    dft((1, 6, 2), 1, length=9, inverse=1, onesided=1),
    NodeCase("DFT", (normal(2, 8, 1),), {"axis": 1}, opset=17),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_transform_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_element_reads_its_axis(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl)


def test_a_signal_too_long_for_one_fragment_is_refused_by_name() -> None:
    (missing,) = pipeline.plan_of(dft((1, 16001, 1), 1).model(), layout="row_major_rgba").not_run
    assert missing.reason.startswith(
        "DFT 'node' (DFT): expected at most 64000 turns of all loops for a texel, got 64004"
    )
