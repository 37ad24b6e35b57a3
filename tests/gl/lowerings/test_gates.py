"""A Where joins the form of what it lets through, with its comparison; backward passes join no forward form."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.gl.operators.single_node import normal
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gradients.reverse import differentiated
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.planning.planner import plan_graph

SHAPE = (2, 6, 5, 9)
Node = tuple[str, list[str], str]
SLOPE: tuple[Node, ...] = (
    ("ConvTranspose", ["d", "w"], "dy"),
    ("Greater", ["x", "level"], "is_above"),
    ("Mul", ["dy", "alpha"], "low"),
    ("Where", ["is_above", "dy", "low"], "dx"),
)


def opened(nodes: tuple[Node, ...], outputs: tuple[str, ...], gl: moderngl.Context) -> DebugSession:
    """The nodes on the inputs d and x, with NaN in x."""
    held = {"level": np.float32(0.25), "alpha": np.float32(0.2), "zero": np.float32(0.0), "w": normal(3, 6, 3, 3)}
    graph = helper.make_graph(
        [helper.make_node(kind, reads, [output], name=output) for kind, reads, output in nodes],
        "gates",
        [helper.make_tensor_value_info("d", TensorProto.FLOAT, (2, 3, 3, 7)),
         helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in held.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = pipeline.open(model, layout="channel_tiles_rgba", context=gl)
    x = normal(*SHAPE, seed=2)
    x[0, 1, 2, 3] = np.nan
    session.set_input("d", normal(2, 3, 3, 7, seed=1))
    session.set_input("x", x)
    return session


def covers(session: DebugSession) -> list[tuple[str, ...]]:
    return [item.covers if isinstance(item, Lowering) else (item,) for item in session.fused()]


@pytest.mark.parametrize(
    ("last", "joined"),
    [
        (SLOPE[2:], ("dy", "low", "is_above", "dx")),
        ((("Where", ["is_above", "dy", "zero"], "dx"),), ("dy", "is_above", "dx")),
        ((("Where", ["is_above", "zero", "dy"], "dx"),), ("dy", "is_above", "dx")),
    ],
    ids=["leaky", "above", "below"],
)
def test_a_gate_is_computed_with_the_sum_that_it_lets_through(
    last: tuple[Node, ...], joined: tuple[str, ...], gl: moderngl.Context
) -> None:
    with opened((*SLOPE[:2], *last), ("dx",), gl) as session:
        assert covers(session) == [joined]
        session.run()
        alone = session.tensor("dx")
        assert np.isfinite(alone).all()
        session.invalidate("dx")
        session.run_fused()
        np.testing.assert_allclose(session.tensor("dx"), alone, rtol=1e-5, atol=1e-6)


def test_a_comparison_that_others_read_stays_a_pass(gl: moderngl.Context) -> None:
    nodes = (*SLOPE, ("Where", ["is_above", "x", "zero"], "y"))
    with opened(nodes, ("dx", "y"), gl) as session:
        assert all("dy" not in each or "dx" not in each for each in covers(session))
        session.run()
        alone = session.tensor("dx"), session.tensor("y")
        session.run_fused()
        for name, value in zip(("dx", "y"), alone, strict=True):
            np.testing.assert_allclose(session.tensor(name), value, rtol=1e-5, atol=1e-6)


def test_a_comparison_of_what_is_made_later_stays_a_pass(gl: moderngl.Context) -> None:
    nodes = (SLOPE[0], ("Softmax", ["x"], "later"), ("Greater", ["later", "level"], "is_above"), *SLOPE[2:])
    with opened(nodes, ("dx",), gl) as session:
        assert all("dy" not in each or "dx" not in each for each in covers(session))


def test_backward_passes_join_no_forward_form(gl: moderngl.Context) -> None:
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w"], ["c"], name="c"),
            helper.make_node("Sigmoid", ["c"], ["s"], name="s"),
            helper.make_node("Mul", ["s", "s"], ["y"], name="y"),
        ],
        "late",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 6, 6))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(normal(4, 3, 3, 3), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    found = differentiated(load(model), "y", ("x",))
    with DebugSession(plan_graph(found.graph, layout="channel_tiles_rgba", limits=limits_of(gl)), gl) as session:
        first = covers(session)[0]
        assert first == ("c", "s", "y")
        assert found.graph.backward.isdisjoint(first)
