"""The error of an element is followed back to the pass that makes it, through the operand that counts most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import moderngl
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.read_trace.error_path import ComparedTensors, ErrorStep, element_step, step_behind

RANDOM = np.random.default_rng(4)
WEIGHTS = {name: RANDOM.normal(size=(4, 4, 1, 1)).astype(np.float32) for name in ("first", "second")}


def network() -> onnx.ModelProto:
    """Two convolutions of one texel each, and the sum of the second and the first: a skip."""
    nodes = [
        helper.make_node("Conv", ["x", "W first"], ["a"], name="first"),
        helper.make_node("Conv", ["a", "W second"], ["b"], name="second"),
        helper.make_node("Add", ["b", "a"], ["y"], name="skip"),
    ]
    shapes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 4, 5, 5)) for name in ("x", "y")]
    weights = [numpy_helper.from_array(value, f"W {name}") for name, value in WEIGHTS.items()]
    graph = helper.make_graph(nodes, "skip", shapes[:1], shapes[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def compared(session: DebugSession) -> ComparedTensors:
    comparer, capture = Comparer(session.plan), session.capture()
    comparer.compare(capture)
    chained = comparer.chained_values()
    by_key = {key: chained[each.tensor] for key, each in session.plan.textures.items() if each.tensor in chained}
    return ComparedTensors(capture.tensors, by_key, comparer.isolated_values())


def way(session: DebugSession, values: ComparedTensors, key: str, element: int) -> Iterator[ErrorStep]:
    def reads_of(name: str, of: int) -> Mapping[str, frozenset[int]]:
        return session.taps(name, of).read_elements()

    step: ErrorStep | None = element_step(session, values, key, element)
    while step is not None:
        yield step
        step = step_behind(session, values, step, reads_of)


def error(values: ComparedTensors, key: str) -> NDArray[np.float64]:
    return np.abs(values.actual[key] - np.asarray(values.chained[key].value, dtype=np.float64))


@pytest.fixture
def broken(gl: moderngl.Context) -> Iterator[DebugSession]:
    """The network with one channel of its first convolution wrong."""
    with pipeline.open(network(), layout="channel_tiles", context=gl) as session:
        session.set_input("x", RANDOM.normal(size=(1, 4, 5, 5)).astype(np.float32))
        source = session.program_source("first").fragment
        old = "W(ivec4(at.y, i, p, q))"
        assert old in source
        session.replace_shader("first", source.replace(old, f"(at.y == 2 ? 2.0 : 1.0) * {old}"))
        session.run()
        yield session


def test_an_inherited_error_leads_through_the_operands_that_count_most(broken: DebugSession) -> None:
    values = compared(broken)
    place = (0, 1, 3, 2)
    steps = list(way(broken, values, "y", int(np.ravel_multi_index(place, (1, 4, 5, 5)))))
    assert [each.is_wrong for each in steps] == [True] * len(steps)
    assert [each.is_made_here for each in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[0].name == "skip"
    assert steps[-1].name == "first"
    # Only channel 2 of the first one is wrong, at the same texel.
    assert steps[-1].element == int(np.ravel_multi_index((0, 2, 3, 2), (1, 4, 5, 5)))
    # The skip's own element of `a` is of channel 1, which is right: the error came through the second convolution.
    assert [each.name for each in steps] == ["skip", "second", "first"]
    assert steps[1].wrong_reads == 1
    assert steps[-1].own_oracle == pytest.approx(steps[-1].actual / 2, rel=1e-5)


def test_of_two_wrong_operands_the_larger_product_is_followed(broken: DebugSession) -> None:
    """Channel 2 of the skip reads a wrong element itself and one through the weights of the second convolution."""
    values = compared(broken)
    element = int(np.ravel_multi_index((0, 2, 1, 4), (1, 4, 5, 5)))
    steps = list(way(broken, values, "y", element))
    sides = {"second": error(values, "b").reshape(-1)[element], "first": error(values, "a").reshape(-1)[element]}
    assert steps[0].wrong_reads == 0
    assert steps[1].wrong_reads == 2
    assert steps[1].name == max(sides, key=lambda name: sides[name])


def test_a_right_value_has_nothing_behind_it(broken: DebugSession) -> None:
    values = compared(broken)
    (step,) = way(broken, values, "a", 0)
    assert not step.is_wrong
    (given,) = way(broken, values, "x", 0)
    assert given.name == ""
