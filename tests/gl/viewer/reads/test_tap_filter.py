"""One filter over its input: the weights stand where the element's products are."""

from __future__ import annotations

import dataclasses

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from texelscope import layouts, pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.viewer.reads.model.tap_filter import filter_over
from texelscope.viewer.reads.model.tap_view import trace

ROOM = np.random.default_rng(5)


def convolution(group: int, pads: int, stride: int) -> onnx.ModelProto:
    """Returns Y = X convolved, four channels of 6x6."""
    weight = ROOM.normal(size=(4, 4 // group, 3, 3)).astype(np.float32)
    node = helper.make_node(
        "Conv", ["X", "W"], ["Y"], name="conv", pads=[pads] * 4, strides=[stride] * 2, group=group
    )  # fmt: skip
    size = (6 + 2 * pads - 3) // stride + 1
    graph = helper.make_graph(
        [node],
        "filters",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 4, 6, 6))],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, (1, 4, size, size))],
        [helper.make_tensor("W", TensorProto.FLOAT, weight.shape, weight)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def sum_over(session: DebugSession, name: str, element: int) -> float:
    """The sum of all texels times the weight that stands over each."""
    found = filter_over(session, name, element)
    assert found is not None
    texels = session.texels(found.key)
    over = found.over(session.plan.textures[found.key])
    return sum(float(texels[ty, tx, 0]) * weight for (tx, ty), weight in over.items())


@pytest.mark.parametrize(("group", "pads", "stride"), [(1, 0, 1), (1, 1, 2), (2, 1, 1), (4, 2, 1)])
def test_weights_times_texels_are_the_element(gl: moderngl.Context, group: int, pads: int, stride: int) -> None:
    with pipeline.open(convolution(group, pads, stride), layout="channel_tiles", context=gl) as session:
        session.set_input("X", ROOM.normal(size=(1, 4, 6, 6)).astype(np.float32))
        session.run()
        values = session.tensor("Y").ravel()
        for element in range(0, values.size, 5):
            assert sum_over(session, "conv", element) == pytest.approx(float(values[element]), abs=1e-5)


def test_over_tiles_of_a_channel_each_they_are_told_apart_whatever_is_stored(gl: moderngl.Context) -> None:
    with pipeline.open(convolution(1, 1, 1), layout="channel_tiles_rgba", context=gl) as session:
        session.set_input("X", ROOM.normal(size=(1, 4, 6, 6)).astype(np.float32))
        session.run()
        found = filter_over(session, "conv", 14)
        assert found is not None
        tiles = dataclasses.replace(session.plan.textures["X"], layout=layouts.layout("channel_tiles"))
        texels = tiles.layout.encode(session.tensor("X"))
        total = sum(float(texels[ty, tx, 0]) * weight for (tx, ty), weight in found.over(tiles).items())
        assert total == pytest.approx(float(session.tensor("Y").ravel()[14]), abs=1e-5)


def test_weights_of_texels_that_are_read_twice_are_added_up(gl: moderngl.Context) -> None:
    with pipeline.open("examples/webgl_cnn/fixed.toml", context=gl) as session:
        session.run()
        actual, element = session.tensor("up2").ravel(), 5 * 32 * 32 + 12 * 32 + 9
        graph = session.plan.graph
        assert graph is not None
        bias = next(value for name, value in graph.constants.items() if name == "up2.bias")[5]
        expected = max(sum_over(session, "up2", element) + float(bias), 0.0)
        assert actual[element] == pytest.approx(expected, rel=1e-3, abs=1e-4)
        found = filter_over(session, "up2", element)
        assert found is not None
        assert len(found.weights) == 36 * 3 * 2, "four taps: three rows at even places, two columns at odd"


def test_a_pass_without_a_convolution_has_no_filter(gl: moderngl.Context) -> None:
    node = helper.make_node("Relu", ["X"], ["Y"], name="relu")
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 1, 2, 2)) for name in "XY")
    model = helper.make_model(helper.make_graph([node], "r", [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
    with pipeline.open(model, context=gl) as session:
        session.set_input("X", np.ones((1, 1, 2, 2), dtype=np.float32))
        session.run()
        assert filter_over(session, "relu", 0) is None


def test_what_a_wrong_shader_leaves_out_is_told_first(gl: moderngl.Context) -> None:
    with pipeline.open("examples/webgl_cnn/broken.toml", context=gl) as session:
        session.run()
        view = trace(session, "down1", 14 * 32 * 32 + 28 * 32 + 8)
        (missing,) = [each.missing for each in view.inputs if each.key == "image"]
        assert len(missing) == 21, "one row and one column of the window, in three tiles"
        assert {each.texel for each in view.products if each.wrong} == missing
        assert [each.wrong for each in view.products] == [True] * 21 + [False] * 27
