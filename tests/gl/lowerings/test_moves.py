"""Transpositions and reshapes in a row run as one draw, and give what their passes give."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.graph import Node
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.moves import moved, whole
from texelscope.pipeline.operators.base import Call

Step = tuple[str, tuple[int, ...]]


def model(shape: tuple[int, ...], steps: list[Step], outputs: tuple[str, ...] = ()) -> onnx.ModelProto:
    """Returns Relu(x) moved by `steps`, each a Transpose by axes or a Reshape to a shape: m0, m1 …"""
    nodes, known = [helper.make_node("Relu", ["x"], ["a"], name="a")], {}
    for i, (operator, numbers) in enumerate(steps):
        before, name = (f"m{i - 1}" if i else "a"), f"m{i}"
        more: dict[str, Any] = {"perm": numbers} if operator == "Transpose" else {}
        if operator == "Reshape":
            known[f"s{i}"] = np.array(numbers, dtype=np.int64)
        inputs = [before, f"s{i}"] if operator == "Reshape" else [before]
        nodes.append(helper.make_node(operator, inputs, [name], name=name, **more))
    last = f"m{len(steps) - 1}"
    graph = helper.make_graph(
        nodes,
        "moves",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in (*outputs, last)],
        [numpy_helper.from_array(array, name) for name, array in known.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def together(session: DebugSession) -> list[tuple[str, ...]]:
    return [item.covers for item in session.fused() if isinstance(item, Lowering)]


MOVES: dict[str, tuple[tuple[int, ...], list[Step]]] = {
    "into heads": ((1, 12, 24), [("Reshape", (1, 12, 3, 8)), ("Transpose", (0, 2, 1, 3))]),
    "keys into heads": ((2, 12, 24), [("Reshape", (2, 12, 3, 8)), ("Transpose", (0, 2, 3, 1))]),
    "heads together": ((1, 3, 12, 8), [("Transpose", (0, 2, 1, 3)), ("Reshape", (1, 12, 24))]),
    "channels last": ((2, 5, 3, 7), [("Transpose", (0, 2, 3, 1))]),
    "channels shuffled": (
        (1, 6, 4, 5),
        [("Reshape", (1, 2, 3, 20)), ("Transpose", (0, 2, 1, 3)), ("Reshape", (1, 6, 4, 5))],
    ),
    "pixels shuffled": (
        (1, 8, 3, 3),
        [("Reshape", (1, 2, 2, 2, 3, 3)), ("Transpose", (0, 1, 4, 2, 5, 3)), ("Reshape", (1, 2, 6, 6))],
    ),
    "a matrix transposed": ((5, 7), [("Transpose", (1, 0))]),
    "flat": ((2, 3, 4, 5), [("Flatten", ())]),
    "one element": ((1, 1), [("Transpose", (1, 0))]),
    "and back": ((3, 4, 5), [("Transpose", (2, 0, 1)), ("Transpose", (1, 2, 0)), ("Transpose", (1, 0, 2))]),
}


@pytest.mark.parametrize("name", MOVES)
def test_one_draw_gives_what_the_passes_give(gl: moderngl.Context, name: str) -> None:
    shape, steps = MOVES[name]
    with pipeline.open(model(shape, steps), backend="fragment", context=gl) as session:
        covers = tuple(f"m{i}" for i in range(len(steps)))
        if name != "one element":
            assert covers in together(session)
        session.set_input("x", np.random.default_rng(0).normal(size=shape).astype(np.float32) + 3)
        session.run()
        last = session.plan.outputs[-1]
        expected = session.texels(last)
        session.run_fused()
        np.testing.assert_array_equal(session.texels(last), expected)
        assert session.compare().passes[-1].verdict == "match"


def test_a_tensor_that_others_need_ends_the_draw(gl: moderngl.Context) -> None:
    shape, steps = MOVES["channels shuffled"]
    with pipeline.open(model(shape, steps, outputs=("m0",)), backend="fragment", context=gl) as session:
        assert ("m0",) in together(session)
        assert ("m1", "m2") in together(session)
        session.set_input("x", np.random.default_rng(0).normal(size=shape).astype(np.float32))
        session.run_fused()
        assert session.is_valid("m0")
        assert session.compare().passes[-1].verdict == "match"


def test_axes_that_end_within_a_digit_stay_passes(gl: moderngl.Context) -> None:
    """Six elements as three of two, of an order that counts to two and then to three."""
    steps: list[Step] = [("Transpose", (1, 0)), ("Reshape", (4, 3)), ("Transpose", (1, 0))]
    with pipeline.open(model((2, 6), steps), backend="fragment", context=gl) as session:
        session.set_input("x", np.arange(12, dtype=np.float32).reshape(2, 6))
        session.run_fused()
        expected = np.arange(12).reshape(2, 6).T.reshape(4, 3).T
        np.testing.assert_array_equal(session.tensor(session.plan.outputs[0]), expected)
        assert ("m0", "m1", "m2") not in together(session)


@pytest.mark.parametrize("seed", range(20))
def test_the_digits_of_any_sequence_say_where_its_elements_lie(seed: int) -> None:
    """Moves the numbers 0 to 119 by random transpositions and reshapes, and reads them off the digits."""
    random = np.random.default_rng(seed)
    numbers, digits = np.arange(120).reshape(2, 3, 4, 5), whole(120)
    for _ in range(3):
        axes = tuple(int(axis) for axis in random.permutation(numbers.ndim))
        found = moved(call_of("Transpose", numbers.shape, perm=axes), digits)
        if found is None:
            return
        numbers, digits = numbers.transpose(axes), found
        numbers = numbers.reshape([(120,), (6, 20), (4, 30), (2, 3, 20), (10, 3, 4)][random.integers(5)])
    rest, places = np.arange(120), np.zeros(120, dtype=int)
    for digit in digits:
        places += rest % digit.size * digit.stride
        rest //= digit.size
    np.testing.assert_array_equal(places, numbers.reshape(-1))


def call_of(operator: str, shape: tuple[int, ...], **attributes: Any) -> Call:
    """Returns a node over a tensor x of that shape."""
    node = Node("y", operator, ("x",), ("y",), MappingProxyType(attributes))
    graph = load(
        helper.make_model(
            helper.make_graph(
                [helper.make_node(operator, ["x"], ["y"], name="y", **attributes)],
                "one",
                [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            ),
            opset_imports=[helper.make_opsetid("", 17)],
            ir_version=8,
        )
    )
    return Call(node, graph)
