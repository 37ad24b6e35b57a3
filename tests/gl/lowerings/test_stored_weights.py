"""Sums read weights that are inputs from a copy of their texture, of 16 bits too, and from one that fits a buffer."""

from __future__ import annotations

import dataclasses
from typing import Any

import moderngl
import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.gl.operators.single_node import normal
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.lowerings.solo import solo_forms
from texelscope.pipeline.plan import Storage
from texelscope.pipeline.planning.planner import plan_graph

X, BIASES = (2, 5, 9, 11), 6


def graph_of(op_type: str, *, with_bias: bool = True) -> Graph:
    """A convolution of a window of 3x4, or a transposed one of 4x4 and stride 2, whose weights and bias are inputs."""
    is_transposed = op_type == "ConvTranspose"
    weights = (X[1], BIASES, 4, 4) if is_transposed else (BIASES, X[1], 3, 4)
    more: dict[str, Any] = {"strides": [2, 2], "pads": [1, 2, 2, 1]} if is_transposed else {"pads": [1, 2, 0, 1]}
    shapes = {"x": X, "w": weights, **({"b": (BIASES,)} if with_bias else {})}
    node = helper.make_node(op_type, list(shapes), ["y"], name="y", **more)
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([node], "stored weights", inputs, outputs)
    return load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))


@pytest.mark.parametrize("op_type", ["Conv", "ConvTranspose"])
@pytest.mark.parametrize(("precision", "rounding"), [("float32", 1e-5), ("float16", 2e-2)])
def test_a_sum_is_that_of_the_weights_as_they_are_stored(
    op_type: str, precision: Storage, rounding: float, gl: moderngl.Context
) -> None:
    graph, limits = graph_of(op_type, with_bias=precision == "float32"), limits_of(gl)
    plan = plan_graph(graph, layout="channel_tiles_rgba", precision=precision, limits=limits)
    with DebugSession(plan, gl) as session:
        for i, name in enumerate(plan.inputs):
            stored = plan.textures[name]
            value = normal(*stored.shape, seed=i)
            session.set_input(name, value)
            if stored.storage == "float32":  # NaN wherever no element lies
                padded = stored.layout.encode(value, padding=np.nan)
                session.texture(name).write(padded.tobytes(), alignment=1)
        assert session.form("y") is not None
        session.run()
        with_form = session.tensor("y")
        source = session.program_source("y")
        session.replace_shader("y", source.fragment.replace("void main() {", "void main() {\n    // as it is"))
        session.run()
        np.testing.assert_allclose(with_form, session.tensor("y"), rtol=rounding, atol=rounding)


@pytest.mark.parametrize(("most", "has_form"), [(1 << 16, True), (64, False)])
def test_weights_that_no_buffer_holds_are_read_by_the_pass_itself(
    most: int, has_form: bool, gl: moderngl.Context
) -> None:
    plan = plan_graph(graph_of("Conv"), layout="channel_tiles_rgba", limits=limits_of(gl))
    limits = dataclasses.replace(limits_of(gl), max_buffer_texels=most)
    assert ("y" in solo_forms(plan, limits)) is has_form
