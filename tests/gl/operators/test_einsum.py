"""Einsum: every kind of equation matches the oracle, and reads what it says."""

from __future__ import annotations

import moderngl
import pytest

from tests.gl.operators.single_node import LAYOUTS, NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.einsum import contraction


def einsum(equation: str, *shapes: tuple[int, ...]) -> NodeCase:
    return NodeCase("Einsum", tuple(normal(*shape, seed=i) for i, shape in enumerate(shapes)), {"equation": equation})


CASES = [
    einsum("ij->ji", (3, 4)),
    einsum("ij->i", (3, 4)),
    einsum("ij->", (3, 4)),
    einsum("i,i", (5,), (5,)),
    einsum("bij, bjk -> bik", (2, 3, 4), (2, 4, 5)),
    einsum("...ii->...i", (2, 3, 3)),
    einsum("ii", (4, 4)),
    einsum("...ij,...jk", (2, 1, 3, 4), (2, 5, 4, 2)),
    einsum("bhid,bhjd->bhij", (1, 2, 3, 4), (1, 2, 5, 4)),
    einsum("i,j,k->kij", (2,), (3,), (4,)),
    einsum("abcde,ce->adb", (2, 3, 2, 2, 4), (2, 4)),
    einsum("b...->...b", (2, 3, 4)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_equation_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    for layout in LAYOUTS:
        assert_matches(case, layout, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_element_reads_what_its_sum_is_made_of(case: NodeCase, gl: moderngl.Context) -> None:
    for position in range(len(case.inputs)):
        assert_reads_are_exact(case, gl, position=position, samples=3)


def test_an_equation_for_other_operands_is_refused_by_name() -> None:
    tensors = {"x": TensorInfo("x", (2, 3)), "y": TensorInfo("y", (2,))}
    node = Node("sum", "Einsum", ("x",), ("y",), {"equation": "ij,j->i"})
    graph = Graph("model", (node,), tensors, ("x",), ("y",), {})
    message = r"Einsum 'sum' \(model\): expected an equation for 1 operands, got 'ij,j->i'"
    with pytest.raises(UnsupportedError, match=message):
        contraction(Call(node, graph))
