"""Products of matrices as dispatches and as draws, in the layouts of the operands."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, assert_matches, assert_reads_are_exact, normal, opened
from texelscope.pipeline.lowerings.lowering import step_words
from texelscope.pipeline.plan import Backend

BACKENDS: tuple[Backend, ...] = ("compute", "fragment")
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
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_kind_of_product_matches_the_oracle(
    case: NodeCase, layout: str, backend: Backend, gl: moderngl.Context
) -> None:
    assert_matches(case, layout, gl, backend)


@pytest.mark.parametrize("layout", LAYOUTS[:2])
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_they_are_computed_by_blocks(case: NodeCase, layout: str, backend: Backend, gl: moderngl.Context) -> None:
    with opened(case, layout, gl, backend) as session:
        form = session.form("node")
        assert form is not None
        assert form.steps[0].kind == backend
        assert form.steps[0].shape


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_tuned_draw_matches_too(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, "row_major_rgba", gl, "fragment") as session:
        session.run()
        while session.tune(after=1):
            pass
        session.run()
        assert session.compare().passes[-1].verdict == "match"


def test_a_large_product_is_drawn_in_blocks_of_eight_rows_and_four_groups(gl: moderngl.Context) -> None:
    with opened(matmul((128, 64), (64, 1024), constant=True), "row_major_rgba", gl, "fragment") as session:
        session.run()
        while session.tune(after=1):
            pass
        form = session.form("node")
        assert form is not None
        text = session.running(form).steps[0].program.fragment
        assert "const int ROWS = 8;" in text
        assert "const int GROUPS = 4;" in text
        session.run()
        assert session.compare().passes[-1].verdict == "match"


PER_CHANNEL = [
    matmul((2, 6, 5, 8), (2, 6, 8, 12)),
    matmul((1, 4, 17, 3), (1, 4, 3, 7)),
    matmul((1, 1, 9, 9), (1, 1, 9, 5)),
    matmul((3, 5, 1, 40), (3, 5, 40, 1)),
]


@pytest.mark.parametrize("case", PER_CHANNEL, ids=str)
@pytest.mark.parametrize("tunes", [False, True])
def test_matrices_of_four_channels_are_multiplied_at_once(case: NodeCase, gl: moderngl.Context, *, tunes: bool) -> None:
    with opened(case, "channel_tiles_rgba", gl, "fragment") as session:
        form = session.form("node")
        assert form is not None
        assert "channel_product" in form.steps[0].program.files[0].path
        session.run()
        while tunes and session.tune(after=1):
            pass
        session.run()
        assert session.compare().passes[-1].verdict == "match"


def test_matrices_that_channels_share_keep_their_pass(gl: moderngl.Context) -> None:
    with opened(matmul((2, 4, 5, 7), (7, 4)), "channel_tiles_rgba", gl, "fragment") as session:
        form = session.form("node")
        assert form is None or "channel_product" not in form.steps[0].program.files[0].path
        session.run()
        assert session.compare().passes[-1].verdict == "match"


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


def test_a_draw_says_what_a_fragment_computes(gl: moderngl.Context) -> None:
    with opened(matmul((64, 64), (64, 64), constant=True), "row_major_rgba", gl, "fragment") as session:
        form = session.form("node")
        assert form is not None
        assert step_words(form.steps[0]) == "draw of 512 fragments, 2 rows x 1 group of columns each"
    with opened(PER_CHANNEL[0], "channel_tiles_rgba", gl, "fragment") as session:
        form = session.form("node")
        assert form is not None
        assert step_words(form.steps[0]).endswith("fragments, 2 rows x 2 columns each")
