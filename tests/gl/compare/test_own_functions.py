"""A shader that calls what GLSL has matches, also where its driver rounds otherwise than a careful one of our own."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import helper

from texelscope import pipeline

SHADER = """\
#version 330
uniform sampler2D u_x;
out float result;
void main() {{ result = {0}(texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r); }}
"""
PIPELINE = """\
[pipeline]
name = "one function"
model = "model.onnx"

[[input]]
name = "x"
shape = [1, 1, 32, 32]
layout = "linear"
source = "x.npy"

[[pass]]
name = "y"
shader = "y.frag"
textures.u_x = "x"
output = { shape = [1, 1, 32, 32], layout = "linear" }
"""


@pytest.mark.parametrize("operator", ["Tanh", "Sinh", "Exp", "Sin", "Cos", "Log", "Sqrt"])
@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 8.0])
def test_a_function_of_the_language_matches_from_small_values_to_large_ones(
    gl: moderngl.Context, tmp_path: Path, operator: str, size: float
) -> None:
    x = np.geomspace(size / 1e2, size, 1024, dtype=np.float32).reshape(1, 1, 32, 32)
    np.save(tmp_path / "x.npy", x)
    of = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, x.shape) for name in "xy"]
    graph = helper.make_graph([helper.make_node(operator, ["x"], ["y"])], "one", of[:1], of[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]), tmp_path / "model.onnx")
    (tmp_path / "y.frag").write_text(SHADER.format(operator.lower()), encoding="utf-8")
    (tmp_path / "pipeline.toml").write_text(PIPELINE, encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl) as session:
        session.run()
        assert session.compare(findings=False).verdict == "match"
