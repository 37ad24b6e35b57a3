"""Reads that are all right are not called right where what is multiplied with what is wrong, or was not checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.viewer.reads.model.tap_view import trace, verdict_on_reads

RANDOM = np.random.default_rng(5)
NOT_CHECKED = "every element that should be read is read; what is multiplied with what was not checked"


def model(
    op_type: str, x: tuple[int, ...], w: tuple[int, ...], y: tuple[int, ...], **attributes: Any
) -> onnx.ModelProto:
    weight = numpy_helper.from_array(RANDOM.normal(size=w).astype(np.float32), "W")
    node = helper.make_node(op_type, ["X", "W"][: 1 + bool(w)], ["Y"], name="layer", **attributes)
    shapes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("X", x), ("Y", y))]
    graph = helper.make_graph([node], "partners", shapes[:1], shapes[1:], [weight] if w else [])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def said(
    gl: moderngl.Context, network: onnx.ModelProto, old: str, new: str, layout: str = "channel_tiles"
) -> tuple[bool | None, str]:
    """Returns what is said of element 7, with a text of the shader replaced."""
    with pipeline.open(network, layout=layout, context=gl) as session:
        shape = session.plan.textures["X"].shape
        session.set_input("X", RANDOM.normal(size=shape).astype(np.float32))
        source = session.program_source("layer").fragment
        assert old in source, source
        session.replace_shader("layer", source.replace(old, new))
        session.run()
        return verdict_on_reads(trace(session, "layer", 7))


def conv(kernel: int = 3, channels: int = 2) -> onnx.ModelProto:
    return model("Conv", (1, channels, 8, 8), (1, channels, kernel, kernel), (1, 1, 9 - kernel, 9 - kernel))


def gemm() -> onnx.ModelProto:
    return model("Gemm", (2, 9), (9, 5), (2, 5))


OF_CONV, OF_GEMM = "W(ivec4(at.y, i, p, q))", "ivec4(0, 0, k, j));"


@pytest.mark.parametrize(
    ("network", "old", "new", "layout"),
    [
        (conv(), OF_CONV, "W(ivec4(at.y, i, W_shape.z - 1 - p, W_shape.w - 1 - q))", "channel_tiles"),
        (conv(), OF_CONV, "W(ivec4(at.y, i, q, p))", "tfjs_unpacked"),
        (conv(2, 3), OF_CONV, "W(ivec4(at.y, W_shape.y - 1 - i, p, q))", "row_major_rgba"),
        (gemm(), OF_GEMM, "ivec4(0, 0, INNER_COUNT - 1 - k, j));", "channel_tiles"),
    ],
)
def test_right_elements_with_wrong_partners_are_not_all_as_expected(
    network: onnx.ModelProto, old: str, new: str, layout: str, gl: moderngl.Context
) -> None:
    is_good, text = said(gl, network, old, new, layout)
    assert is_good is False
    assert text.startswith("every element that should be read is read, but ")
    assert " terms are wrong: " in text
    assert said(gl, network, old, old, layout) == (True, "all as expected, their products too")


def test_reads_that_nothing_is_multiplied_with_are_all_as_expected(gl: moderngl.Context) -> None:
    pool = model("MaxPool", (1, 2, 8, 8), (), (1, 2, 4, 4), kernel_shape=[2, 2], strides=[2, 2])
    assert said(gl, pool, "void main", "void main") == (True, "all as expected")


def test_weights_that_are_numbers_in_the_shader_are_not_called_right(gl: moderngl.Context) -> None:
    with pipeline.open(ROOT / "examples" / "mpv" / "sharpen_x2.glsl", context=gl) as session:
        session.run()
        assert verdict_on_reads(trace(session, "blurred", 700)) == (None, NOT_CHECKED)


def test_right_reads_are_no_good_sign_where_the_value_is_wrong(gl: moderngl.Context) -> None:
    with pipeline.open(gemm(), layout="channel_tiles", context=gl) as session:
        session.set_input("X", RANDOM.normal(size=(2, 9)).astype(np.float32))
        session.run()
        view = trace(session, "layer", 7)
    assert verdict_on_reads(view)[0] is True
    is_good, text = verdict_on_reads(view, value_is_wrong=True)
    assert is_good is False
    assert text.endswith(", but the value is wrong: look at what is done with them")


FILE = """
[pipeline]
model = "model.onnx"
[[input]]
name = "X"
shape = [2, 9]
source = "random:1"
layout = "linear"
[[constant]]
name = "W"
source = "w.npy"
layout = "linear"
[[pass]]
name = "Y"
shader = "s.comp"
output = { shape = [2, 5] }
buffers = { Input = "X", Weights = "W", Output = "Y" }
dispatch = 1
"""
DISPATCHED = """#version 430
layout(local_size_x = 10) in;
layout(std430) readonly buffer Input { float x[]; };
layout(std430) readonly buffer Weights { float w[]; };
layout(std430) writeonly buffer Output { float y[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    float sum = 0.0;
    for (uint k = 0u; k < 9u; k++) sum += x[i / 5u * 9u + k] * w[(8u - k) * 5u + i % 5u];
    y[i] = sum;
}
"""


def test_products_that_cannot_be_followed_are_not_called_right(gl: moderngl.Context, tmp_path: Path) -> None:
    network = gemm()
    onnx.save(network, tmp_path / "model.onnx")
    np.save(tmp_path / "w.npy", numpy_helper.to_array(network.graph.initializer[0]))
    (tmp_path / "s.comp").write_text(DISPATCHED, encoding="utf-8")
    (tmp_path / "pipeline.toml").write_text(FILE, encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl) as session:
        session.run()
        assert verdict_on_reads(trace(session, "Y", 7)) == (None, NOT_CHECKED)
