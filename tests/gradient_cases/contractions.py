"""Contractions of one operand and of several, with labels summed over, broadcast and hidden in an ellipsis."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _case(equation: str, *shapes: tuple[int, ...]) -> GradientCase:
    inputs = tuple(real(*shape, seed=seed) for seed, shape in enumerate(shapes))
    return GradientCase(NodeCase("Einsum", inputs, {"equation": equation}))


CASES = (
    _case("ij,jk->ik", (3, 4), (4, 5)),
    _case("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)),
    _case("ijk->ki", (2, 3, 4)),
    _case("ij->", (3, 5)),
    _case("ij,kj", (3, 4), (2, 4)),
    _case("ij,kl->il", (3, 4), (2, 5)),
    _case("...ij,...jk->...ik", (2, 1, 3, 4), (1, 3, 4, 2)),
    _case("i,ij,j->i", (3,), (3, 4), (4,)),
)
