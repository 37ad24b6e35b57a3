"""Products of matrices as dispatches: the work groups of sums over a window, in the layouts of the operands."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, assert_matches, assert_reads_are_exact, normal, opened

LAYOUTS = ("row_major_rgba", "channel_tiles", "channel_tiles_rgba")


def gemm(a: tuple[int, int], b: tuple[int, int], *c: int, constant: bool = True, **attributes: object) -> NodeCase:
    inputs = (normal(*a), normal(*b, seed=2), normal(*c, seed=3) if c else None)
    return NodeCase("Gemm", inputs, attributes, constant=(1,) if constant else ())


def matmul(a: tuple[int, ...], b: tuple[int, ...], *, constant: bool = False) -> NodeCase:
    return NodeCase("MatMul", (normal(*a), normal(*b, seed=2)), constant=(1,) if constant else ())


CASES = [
    gemm((1, 37), (37, 12), 12),
    gemm((5, 13), (20, 13), 5, 1, transB=1, alpha=0.5, beta=2.0),
    gemm((13, 70), (13, 4), transA=1, constant=False),
    gemm((1, 400), (10, 400), 10, transB=1),
    matmul((17, 24), (24, 36)),
    matmul((2, 3, 5, 8), (2, 3, 8, 12)),
    matmul((2, 1, 5, 7), (3, 7, 4)),
    matmul((3, 5, 9), (9, 8), constant=True),
    matmul((6,), (2, 6, 4)),
]
# Products whose columns are not the last axis of the output, and one that is a single number.
VECTORS = [matmul((2, 2, 4, 6), (6,)), matmul((4, 6), (6,), constant=True), matmul((7,), (7,)), matmul((9, 5), (5, 1))]


@pytest.mark.parametrize("case", [*CASES, *VECTORS], ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_kind_of_product_matches_the_oracle(case: NodeCase, layout: str, gl: moderngl.Context) -> None:
    assert_matches(case, layout, gl, "compute")


@pytest.mark.parametrize("layout", LAYOUTS[:2])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_they_are_computed_by_blocks(case: NodeCase, layout: str, gl: moderngl.Context) -> None:
    with opened(case, layout, gl, "compute") as session:
        form = session.form("node")
        assert form is not None
        assert form.steps[0].shape


@pytest.mark.parametrize("case", [CASES[1], CASES[6]], ids=str)
def test_every_element_reads_what_it_lists_and_nothing_else(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl, layout="row_major_rgba", samples=3, backend="compute")


def test_padding_of_a_product_is_zero(gl: moderngl.Context) -> None:
    with opened(CASES[3], "row_major_rgba", gl, "compute") as session:
        session.run()
        stored = session.plan.tensor_called("out0")
        padding = stored.layout.address(stored.shape) < 0
        assert padding.any()
        assert not np.any(session.texels("out0")[padding])
