"""MatMul and Gemm match the oracle for every shape that broadcasts, and read what they say."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal


def matmul(a: tuple[int, ...], b: tuple[int, ...]) -> NodeCase:
    return NodeCase("MatMul", (normal(*a), normal(*b, seed=2)))


def gemm(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...] | None = None, **attributes: object) -> NodeCase:
    addend = None if c is None else np.asarray(normal(*c, seed=3), dtype=np.float32)
    return NodeCase("Gemm", (normal(*a), normal(*b, seed=2), addend), attributes)


CASES = [
    matmul((4, 5), (5, 3)),
    matmul((5,), (5, 3)),
    matmul((4, 5), (5,)),
    matmul((5,), (5,)),
    matmul((2, 3, 4, 5), (2, 3, 5, 2)),
    matmul((2, 1, 4, 5), (3, 5, 2)),
    matmul((3, 1, 2, 1, 4, 5), (2, 1, 3, 5, 2)),
    matmul((5,), (2, 3, 5, 2)),
    matmul((2, 3, 4, 5), (5,)),
    gemm((4, 5), (5, 3)),
    gemm((5, 4), (5, 3), (3,), transA=1, alpha=0.5),
    gemm((4, 5), (3, 5), (4, 1), transB=1, beta=-2.0),
    gemm((5, 4), (3, 5), (1, 3), transA=1, transB=1, alpha=-1.5, beta=0.25),
    gemm((4, 5), (5, 3), ()),
]

# Beyond 65,535 turns in the four lanes of a texel, where llvmpipe ends a fragment's loops.
LONG = [gemm((2, 17000), (17000, 4)), matmul((1, 2, 17000), (2, 17000, 4))]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_product_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_element_reads_the_row_and_column_that_it_lists(case: NodeCase, gl: moderngl.Context) -> None:
    for position, value in enumerate(case.inputs):
        if value is not None:
            assert_reads_are_exact(case, gl, position=position, samples=3)


@pytest.mark.parametrize("case", LONG, ids=str)
def test_long_sums_are_not_cut_short(case: NodeCase, gl: moderngl.Context) -> None:
    assert_matches(case, "row_major_rgba", gl)
