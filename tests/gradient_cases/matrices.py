"""Covers products of matrices and vectors, broadcast and transposed."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_SHAPES = (
    ((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((2, 1, 3, 4), (5, 4, 2)), ((2, 3, 4), (4, 1)),
    ((3, 4), (2, 4, 3)), ((1, 3, 4), (2, 4, 3)), ((4,), (2, 4, 3)),
)  # fmt: skip


def _gemm(trans_a: int, trans_b: int, c: tuple[int, ...]) -> GradientCase:
    a, b = real(*((4, 3) if trans_a else (3, 4))), real(*((5, 4) if trans_b else (4, 5)), seed=1)
    attributes = {"transA": trans_a, "transB": trans_b, "alpha": 0.5, "beta": 1.5}
    return GradientCase(NodeCase("Gemm", (a, b, real(*c, seed=2)), attributes))


CASES = (
    *(GradientCase(NodeCase("MatMul", (real(*a), real(*b, seed=1)))) for a, b in _SHAPES),
    *(_gemm(*flags, c) for flags in ((0, 0), (0, 1), (1, 0), (1, 1)) for c in ((), (5,), (3, 1), (3, 5))),
)
