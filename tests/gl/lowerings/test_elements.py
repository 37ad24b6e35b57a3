"""Passes that work element by element on tensors of one shape run as one draw, and give what they give alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl import lowering_runner
from texelscope.pipeline.lowerings.fusion import fusing
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.solo import STORES_VERSION

LAYOUTS = ("channel_tiles_rgba", "row_major_rgba")
RATE = np.array(0.7, np.float32)
Node = tuple[str, Sequence[str], str]
UPDATE: tuple[Node, ...] = (
    ("Sub", ("g", "m"), "difference"),
    ("Mul", ("difference", "share"), "shared"),
    ("Add", ("m", "shared"), "next_m"),
    ("Mul", ("g", "g"), "square"),
    ("Sqrt", ("square",), "root"),
    ("Div", ("root", "rate"), "corrected"),
    ("Greater", ("corrected", "share"), "is_large"),
    ("Where", ("is_large", "next_m", "zero"), "chosen"),
    ("Max", ("chosen", "m", "difference"), "largest"),
    ("Elu", ("largest",), "y"),
)


def opened(
    nodes: Sequence[Node],
    outputs: Sequence[str],
    shape: tuple[int, ...],
    gl: moderngl.Context,
    layout: str = LAYOUTS[0],
) -> DebugSession:
    """Makes a session of the inputs g and m of that shape and the number `rate`."""
    numbers = {"share": np.float32(0.1), "zero": np.float32(0.0)}
    graph = helper.make_graph(
        [helper.make_node(kind, list(reads), [output], name=output) for kind, reads, output in nodes],
        "elements",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("g", "m")]
        + [helper.make_tensor_value_info("rate", TensorProto.FLOAT, ())],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = pipeline.open(model, layout=layout, backend="fragment", context=gl)
    random = np.random.default_rng(0)
    for name in ("g", "m"):
        session.set_input(name, random.normal(size=shape))
    session.set_input("rate", RATE)
    return session


def covers(session: DebugSession, keep: Collection[str] = ()) -> list[tuple[str, ...]]:
    return [item.covers if isinstance(item, Lowering) else (item,) for item in session.fused(keep)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(3, 5, 4, 2), (2, 7), (6,), (2, 3, 2, 5, 3)], ids=str)
def test_an_update_is_one_draw_that_stores_what_is_read(
    shape: tuple[int, ...], layout: str, gl: moderngl.Context
) -> None:
    with opened(UPDATE, ("y", "next_m"), shape, gl, layout) as session:
        session.run()
        names = [output for _, _, output in UPDATE]
        alone = {name: session.tensor(name) for name in names}
        (form,) = session.fused()
        assert isinstance(form, Lowering)
        assert form.covers == tuple(names)
        assert form.writes == ("next_m", "y")
        session.set_input("rate", RATE)
        session.run_fused()
        for name in names:  # those between are made when they are asked for
            np.testing.assert_array_equal(session.tensor(name), alone[name])


@pytest.mark.parametrize(("version", "is_once"), [(STORES_VERSION, True), (1000, False)])
def test_a_number_is_read_once_a_draw_where_a_text_can_bind_it(
    version: int, is_once: bool, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (fusing, lowering_runner):
        monkeypatch.setattr(module, "STORES_VERSION", version)
    with opened(UPDATE, ("y",), (3, 5, 4, 2), gl) as session:
        (form,) = session.fused()
        assert isinstance(form, Lowering)
        assert (form.steps[0].program.vertex is not None) is is_once
        session.run()
        alone = session.tensor("y")
        session.set_input("rate", RATE)
        session.run_fused()
        np.testing.assert_array_equal(session.tensor("y"), alone)


def test_no_draw_stores_more_than_it_can(gl: moderngl.Context) -> None:
    keep = frozenset(output for _, _, output in UPDATE)
    with opened(UPDATE, ("y",), (3, 5, 4, 2), gl) as session:
        session.run()
        alone = {name: session.tensor(name) for name in keep}
        assert [len(each) for each in covers(session, keep)] == [8, 2]
        session.set_input("rate", RATE)
        session.run_fused(keep)
        for name, value in alone.items():
            np.testing.assert_array_equal(session.tensor(name), value)


def test_what_is_made_after_the_first_pass_joins_no_chain_before_it(gl: moderngl.Context) -> None:
    nodes: tuple[Node, ...] = (
        ("Neg", ("g",), "a"),
        ("Mul", ("a", "share"), "b"),
        ("Hardmax", ("b",), "s"),
        ("Add", ("a", "s"), "c"),
        ("Sub", ("c", "g"), "y"),
    )
    with opened(nodes, ("y",), (2, 4, 3, 3), gl) as session:
        assert covers(session) == [("a", "b"), ("s",), ("c", "y")]
        session.run()
        alone = session.tensor("y")
        session.set_input("g", session.tensor("g"))
        session.run_fused()
        np.testing.assert_array_equal(session.tensor("y"), alone)


def test_of_half_floats_each_pass_rounds_what_it_stores(gl: moderngl.Context) -> None:
    model = onnx.helper.make_model(
        helper.make_graph(
            [helper.make_node("Neg", ["x"], ["a"], name="a"), helper.make_node("Exp", ["a"], ["y"], name="y")],
            "halves",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, (3, 5))],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    with pipeline.open(model, precision="float16", backend="fragment", context=gl) as session:
        assert session.fused() == ("a", "y")
