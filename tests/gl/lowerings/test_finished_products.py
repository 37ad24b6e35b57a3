"""A product of matrices and the passes per element after it run as one draw, and give what their passes give."""

from __future__ import annotations

from typing import Any

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


def covered(session: DebugSession, keep: tuple[str, ...] = ()) -> set[tuple[str, str]]:
    """Returns the first two passes of each form of several."""
    forms = [item.covers for item in session.fused(keep) if isinstance(item, Lowering)]
    return {(first, second) for first, second, *_ in (covers for covers in forms if len(covers) > 1)}


def together(session: DebugSession, keep: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Returns the passes of each form of several."""
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


def test_a_sum_larger_than_the_product_stays_a_pass(gl: moderngl.Context) -> None:
    with pipeline.open(model((12, 16), 24, (2, 12, 24)), backend="fragment", context=gl) as session:
        assert ("p", "s") not in covered(session)
        session.set_input("x", random(12, 16, seed=3))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"


@pytest.mark.parametrize(
    ("x", "columns", "added"),
    [((3, 10, 8), 8, (3, 10, 8)), ((9, 7), 8, None)],
    ids=["of several matrices", "with itself"],
)
def test_a_sum_of_the_products_shape_joins(
    gl: moderngl.Context, x: tuple[int, ...], columns: int, added: tuple[int, ...] | None
) -> None:
    with pipeline.open(model(x, columns, added), backend="fragment", context=gl) as session:
        assert ("p", "s", "y") in together(session)
        session.set_input("x", random(*x, seed=3))
        for settle in (False, True, True):
            session.run_fused(settle=settle)
            assert session.compare().passes[-1].verdict == "match"


def chain(
    *nodes: onnx.NodeProto, outputs: tuple[str, ...] = ("y",), x: tuple[int, ...] = (1, 20, 16)
) -> onnx.ModelProto:
    """Returns a model over x and r, of its product's shape; w [16, 24], rows b and g [24], and f, one number."""
    weights = {"w": random(16, 24, seed=1), "b": random(24, seed=2), "g": random(24, seed=3), "f": random(1, seed=4)}
    shapes = {"x": x, "r": (*x[:-1], 24)}
    read = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes,
        "chain",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in shapes.items()
            if name in read
        ],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in weights.items() if name in read],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def node(operator: str, inputs: str, output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), [output], name=output, **attributes)


_PRODUCT = node("MatMul", "x w", "p")
_GEMM = node("Gemm", "x w b", "p", alpha=0.5, beta=2.0)
CHAINS = {
    "a bias and a residual": (chain(_PRODUCT, node("Add", "p b", "s"), node("Add", "r s", "y")), ("p", "s", "y")),
    "a residual first": (chain(_PRODUCT, node("Sub", "r p", "s"), node("Mul", "s g", "y")), ("p", "s", "y")),
    "a value that is read twice": (
        chain(_PRODUCT, node("Add", "p b", "s"), node("Div", "s f", "d"), node("Mul", "d s", "y")),
        ("p", "s", "d", "y"),
    ),
    "a long formula after it": (
        chain(_PRODUCT, node("Add", "p b", "s"), node("Erf", "s", "e"), node("Mul", "e s", "y")),
        ("p", "s"),
    ),
    "another reader of the sum": (
        chain(_PRODUCT, node("Add", "p b", "s"), node("Relu", "s", "y"), outputs=("s", "y")),
        ("p", "s"),
    ),
    "a bias of its own": (chain(_GEMM, node("LeakyRelu", "p", "y", alpha=0.1), x=(20, 16)), ("p", "y")),
}


@pytest.mark.parametrize("name", CHAINS)
def test_what_follows_joins_while_only_its_result_is_needed(gl: moderngl.Context, name: str) -> None:
    made, expected = CHAINS[name]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        assert expected in together(session)
        for i, key in enumerate(session.plan.inputs):
            session.set_input(key, random(*session.plan.textures[key].shape, seed=5 + i))
        session.run()
        before = {key: session.tensor(key) for key in session.plan.outputs}
        for settle in (False, True, True):
            session.run_fused(settle=settle)
            for key, tensor in before.items():
                np.testing.assert_allclose(session.tensor(key), tensor, rtol=1e-5, atol=1e-5)
            assert {each.verdict for each in session.compare().passes} <= {"match", "not_run"}


def test_a_bias_of_its_own_is_added_once(gl: moderngl.Context) -> None:
    with pipeline.open(chain(node("Gemm", "x w b", "y", alpha=0.5, beta=2.0), x=(20, 16)), context=gl) as session:
        x = random(20, 16, seed=5)
        session.set_input("x", x)
        session.run()
        session.tune(0)
        session.run()
        weights, bias = random(16, 24, seed=1), random(24, seed=2)
        np.testing.assert_allclose(session.tensor("y"), 0.5 * x @ weights + 2.0 * bias, rtol=1e-5, atol=1e-5)


def test_whoever_keeps_the_product_gets_it(gl: moderngl.Context) -> None:
    with pipeline.open(model((9, 7), 8, (8,)), backend="fragment", context=gl) as session:
        assert ("p", "s") in covered(session)
        assert ("p", "s") not in covered(session, ("p",))
        session.set_input("x", random(9, 7))
        session.run_fused(keep=("p",))
        assert session.is_valid("p")
