"""A product of matrices and the sum after it run as one draw, and give what their passes give."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings.lowering import Lowering


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def model(
    x: tuple[int, ...], columns: int, added: tuple[int, ...] | None, *, comes_first: bool = False
) -> onnx.ModelProto:
    """Returns Relu(x · w + c), where c is a constant of the shape `added`, or x · w itself for None."""
    weights = {"w": random(x[-1], columns, seed=1)}
    if added is not None:
        weights["c"] = random(*added, seed=2)
    other = "c" if added is not None else "p"
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name="p"),
        helper.make_node("Add", [other, "p"] if comes_first else ["p", other], ["s"], name="s"),
        helper.make_node("Relu", ["s"], ["y"], name="y"),
    ]
    graph = helper.make_graph(
        nodes,
        "biased",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def covered(session: DebugSession, keep: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    return [item.covers for item in session.fused(keep) if isinstance(item, Lowering) and len(item.covers) > 1]


@pytest.mark.parametrize(
    ("x", "columns", "added"),
    [
        ((1, 12, 16), 24, (24,)),
        ((9, 7), 8, (8,)),
        ((1, 12, 16), 24, (1, 12, 24)),
        ((12, 16), 24, (12, 1)),
        ((3, 10, 8), 8, (8,)),
        ((1, 1, 8), 4, (1,)),
    ],
)
@pytest.mark.parametrize("comes_first", [False, True])
def test_one_draw_gives_what_both_passes_give(
    gl: moderngl.Context, x: tuple[int, ...], columns: int, added: tuple[int, ...], *, comes_first: bool
) -> None:
    with pipeline.open(model(x, columns, added, comes_first=comes_first), backend="fragment", context=gl) as session:
        session.set_input("x", random(*x, seed=3))
        session.run()
        expected = session.tensor("y")
        assert ("p", "s") in covered(session)
        for settle in (False, True, True):
            session.run_fused(settle=settle)
            np.testing.assert_allclose(session.tensor("y"), expected, rtol=1e-5, atol=1e-5)
            assert session.compare().passes[-1].verdict == "match"


@pytest.mark.parametrize(
    ("x", "columns", "added"),
    [((3, 10, 8), 8, (3, 10, 8)), ((12, 16), 24, (2, 12, 24)), ((9, 7), 8, None)],
    ids=["of several matrices", "larger than the product", "the product itself"],
)
def test_other_sums_stay_passes(
    gl: moderngl.Context, x: tuple[int, ...], columns: int, added: tuple[int, ...] | None
) -> None:
    with pipeline.open(model(x, columns, added), backend="fragment", context=gl) as session:
        assert ("p", "s") not in covered(session)
        session.set_input("x", random(*x, seed=3))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"


def test_whoever_keeps_the_product_gets_it(gl: moderngl.Context) -> None:
    with pipeline.open(model((9, 7), 8, (8,)), backend="fragment", context=gl) as session:
        assert ("p", "s") in covered(session)
        assert ("p", "s") not in covered(session, ("p",))
        session.set_input("x", random(9, 7))
        session.run_fused(keep=("p",))
        assert session.is_valid("p")
