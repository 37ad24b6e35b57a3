"""Fused, a sum over images and places, as of a bias's gradient, is one draw of a fragment for four channels."""

from __future__ import annotations

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.gl.operators.single_node import normal
from texelscope import pipeline
from texelscope.pipeline.lowerings.lowering import Lowering


def model(shape: tuple[int, ...], axes: tuple[int, ...], *, keep: bool) -> onnx.ModelProto:
    graph = helper.make_graph(
        [helper.make_node("ReduceSum", ["x", "axes"], ["y"], name="y", keepdims=int(keep))],
        "channels",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array(axes, np.int64), "axes")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("shape", [(2, 38, 3, 5), (1, 3, 8, 8), (3, 70, 2, 2)], ids=str)
@pytest.mark.parametrize("keep", [False, True])
def test_a_sum_by_channel_is_one_draw(shape: tuple[int, ...], keep: bool, gl: moderngl.Context) -> None:
    x = normal(*shape)
    with pipeline.open(model(shape, (0, -2, 3), keep=keep), layout="auto", backend="fragment", context=gl) as session:
        session.set_input("x", x)
        stored = session.plan.textures["x"]
        session.texture("x").write(stored.layout.encode(x, padding=np.nan).tobytes(), alignment=1)
        (form,) = session.fused()
        assert isinstance(form, Lowering)
        session.run_fused()
        np.testing.assert_allclose(session.tensor("y"), x.sum((0, 2, 3), keepdims=keep), rtol=1e-4, atol=1e-4)
        assert np.isfinite(session.texels("y")).all()  # no channel, no number of what lies beside them


def test_a_sum_over_other_axes_is_left_to_its_pass(gl: moderngl.Context) -> None:
    with pipeline.open(
        model((2, 4, 4, 4), (2, 3), keep=False), layout="auto", backend="fragment", context=gl
    ) as session:
        assert session.fused() == ("y",)
