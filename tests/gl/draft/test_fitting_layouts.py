"""A shader that writes its output in another layout than it reads gets that layout: its right values tell it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.writing import write_draft

# Channels of the input are tiles in two columns; those of the output lie last, as in TensorFlow.
SHADER = """\
#version 330
uniform sampler2D u_image;
out vec4 result;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int place = texel.y * 12 + texel.x;
    int c = place % 4, x = place / 4 % 6, y = place / 24;
    ivec2 tile = ivec2(c % 2, c / 2);
    result = max(texelFetch(u_image, tile * ivec2(6, 4) + ivec2(x, y), 0), 0.0);
}
"""


def test_an_output_in_another_order_gets_that_order(tmp_path: Path) -> None:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4, 4, 6]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "relu.onnx")
    (tmp_path / "relu.frag").write_text(SHADER)
    written = write_draft([tmp_path / "relu.frag"], tmp_path / "drafted", DraftRequest(), tmp_path / "relu.onnx")
    assert written.matched == ("relu",)
    values = tomllib.loads(written.file.read_text(encoding="utf-8"))
    assert values["pass"][0]["output"]["layout"] == {"name": "ordered", "order": "y, x, c", "width": 12}
    assert values["input"][0]["layout"] == "channel_tiles"
