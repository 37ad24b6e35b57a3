"""Tensors that a shader pads otherwise than their texture: the cause, and the one line that fixes it at every size."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import moderngl
import onnx
import pytest

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import diagnose

SECONDS = 30.0
READ = """\
#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns, u_channels;
out vec4 color;
float at(int n, int c, ivec2 p) {
    int k = n * u_channels + c;
    return texelFetch(t_x, ivec2(k / 4 % u_columns, k / 4 / u_columns) * u_size + p, 0)[k % 4];
}
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy), p = px % u_size;
    int tile = px.x / u_size.x + px.y / u_size.y * u_columns, groups = (u_channels + 3) / 4;
    color = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int c = tile % groups * 4 + lane;
        if (c < u_channels) color[lane] = -at(tile / groups, c, p);
    }
}
"""
WRITTEN = """\
#version 330 core
uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns, u_channels;
out vec4 color;
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy), p = px % u_size;
    int first = (px.x / u_size.x + px.y / u_size.y * u_columns) * 4, groups = (u_channels + 3) / 4;
    color = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int k = first + lane;
        int n = k / u_channels, c = k % u_channels;
        if (c >= u_channels) continue;
        int tile = n * groups + c / 4;
        color[lane] = max(texelFetch(t_x, ivec2(tile % u_columns, tile / u_columns) * u_size + p, 0)[c % 4], 0.0);
    }
}
"""
EIGHTS = """\
#version 330 core
uniform sampler2D t_x;
uniform int u_batch, u_channels, u_plane;
out vec4 color;
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    int row = textureSize(t_x, 0).x, texel = px.y * row + px.x, place = texel / 2;
    color = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int c = place / u_plane * 8 + texel % 2 * 4 + lane;
        if (c >= u_channels) continue;
        for (int n = 0; n < u_batch; n++) {
            int k = n * u_channels + c;
            int at = (k / 8 * u_plane + place % u_plane) * 2 + k % 8 / 4;
            color[lane] += texelFetch(t_x, ivec2(at % row, at / row), 0)[k % 4] / float(u_batch);
        }
    }
}
"""
TILES = """\
#version 330 core
uniform sampler2D t_x;
uniform ivec2 u_size;
uniform int u_columns, u_channels, u_out_columns, u_batch;
out float mean;
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy), p = px % u_size;
    int c = px.x / u_size.x + px.y / u_size.y * u_out_columns;
    float sum = 0.0;
    for (int n = 0; n < u_batch; n++) {
        int tile = n * ((u_channels + 3) & ~3) + c;
        sum += c < u_channels ? texelFetch(t_x, ivec2(tile % u_columns, tile / u_columns) * u_size + p, 0).r : 0.0;
    }
    mean = sum / float(u_batch);
}
"""
CHANNELS = """\
#version 430
layout(local_size_x = 64) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_batch, u_channels, u_plane;
void main() {
    int id = int(gl_GlobalInvocationID.x);
    if (id >= u_channels * u_plane) return;
    int c = id / u_plane, p = id % u_plane;
    float sum = 0.0;
    for (int n = 0; n < u_batch; n++) sum += x[(n * ((u_channels + 3) / 4 * 4) + c) * u_plane + p];
    y[id] = sum / float(u_batch);
}
"""
ROWS = """\
#version 430
layout(local_size_x = 32) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_count, u_width;
void main() {
    int id = int(gl_GlobalInvocationID.x);
    if (id >= u_count) return;
    int row = id / u_width, col = id % u_width;
    int stride = ((u_width + 3) >> 2) << 2;
    y[id] = exp(x[row * stride + col]);
}
"""
SIZES = {"u_size": '["shape(x).w", "shape(x).h"]', "u_columns": '"grid(x).x"', "u_channels": '"shape(x).c"'}


@dataclass(frozen=True)
class Example:
    """A wrong pass from x to y, and what its line has to become."""

    op_type: str
    shape: tuple[int, int, int, int]
    layout: str
    shader: str
    length: int
    right: str
    uniforms: dict[str, str] = field(default_factory=lambda: dict(SIZES))
    groups: int = 0

    def saved(self, folder: Path) -> Path:
        made = (1, *self.shape[1:]) if self.op_type == "ReduceMean" else self.shape
        attributes: dict[str, Any] = {"axes": [0], "keepdims": 1} if self.op_type == "ReduceMean" else {}
        nodes = [node(self.op_type, "x", "y", **attributes)]
        onnx.save(model(nodes, [value("x", self.shape)], [value("y", made)], opset=13), folder / "model.onnx")
        file = "y.comp" if self.groups else "y.frag"
        (folder / file).write_text(self.shader, encoding="utf-8")
        bound = 'buffers = { X = "x", Y = "y" }' if self.groups else 'textures.t_x = "x"'
        lines = [
            '[pipeline]', 'model = "model.onnx"', '[[input]]', 'name = "x"', f"shape = {[*self.shape]}",
            f'layout = "{self.layout}"', 'source = "normal:3"', '[[pass]]', 'name = "y"', f'shader = "{file}"',
            f'output = {{ shape = {[*made]}, layout = "{self.layout}" }}', bound,
            *(f"uniforms.{name} = {said}" for name, said in self.uniforms.items()),
            *([f'dispatch = "count(y) / {self.groups}"'] if self.groups else []),
        ]  # fmt: skip
        (folder / "pipeline.toml").write_text("\n".join(lines), encoding="utf-8")
        return folder / "pipeline.toml"


FOURS = "((u_channels + 3) / 4 * 4)"
PLANE = '"shape(x).h * shape(x).w"'
OF_BUFFER = {"u_batch": '"shape(x).n"', "u_channels": '"shape(x).c"', "u_plane": PLANE}
OF_TILES = {**SIZES, "u_out_columns": '"grid(y).x"', "u_batch": '"shape(x).n"'}
EXAMPLES = {
    "read tight, five channels": Example(
        "Neg", (3, 5, 6, 7), "channel_tiles_rgba", READ, 5, f"int k = n * {FOURS} + c;"
    ),
    "read tight, nine channels": Example(
        "Neg", (2, 9, 4, 3), "channel_tiles_rgba", READ, 9, f"int k = n * {FOURS} + c;"
    ),
    "written tight, six channels": Example(
        "Relu", (2, 6, 5, 4), "channel_tiles_rgba", WRITTEN, 6, f"int n = k / {FOURS}, c = k % {FOURS};"
    ),
    "read tight, packs of eight": Example(
        "ReduceMean", (3, 12, 4, 6), "ncnn_pack8", EIGHTS, 12, "int k = n * ((u_channels + 7) / 8 * 8) + c;",
        OF_BUFFER,
    ),
    "tiles padded, three channels": Example(
        "ReduceMean", (4, 3, 5, 6), "channel_tiles", TILES, 4, "int tile = n * u_channels + c;", OF_TILES
    ),
    "buffer padded by channels": Example(
        "ReduceMean", (3, 6, 4, 5), "linear", CHANNELS, 8,
        "for (int n = 0; n < u_batch; n++) sum += x[(n * u_channels + c) * u_plane + p];", OF_BUFFER, 64,
    ),
    "buffer padded by rows": Example(
        "Exp", (1, 3, 4, 6), "linear", ROWS, 8, "int stride = u_width;",
        {"u_count": '"count(y)"', "u_width": '"shape(x).w"'}, 32,
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_other_padding_is_named_and_fixed_at_every_size(example: Example, gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(example.saved(tmp_path), context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        comparer.compare(capture)
        diagnosis = diagnose(session, comparer, capture, "y", repair_seconds=SECONDS)
    first = diagnosis.findings[0]
    assert (first.cause, first.explained, first.parameters["length"]) == ("pack_padding", 1.0, example.length)
    repair = diagnosis.repairs[0]
    written = [(edit.after or "").strip() for edit in repair.edits]
    assert [each.replace("(u_channels)", "u_channels") for each in written] == [example.right]
    assert repair.sizes_tried > 1
