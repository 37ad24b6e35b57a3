"""Tests shaders that read and write tensors in an order of their axes, drawn and dispatched, against the oracle."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline

# A texel holds one weight of each of four outputs, as MNN's and ncnn's packed layers have them.
DRAWN = """\
#version 330 core
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;
uniform int u_width;
out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(t_B, ivec2(0), 0);
    for (int i = 0; i < 3; i++) {
        for (int tap = 0; tap < 9; tap++) {
            int texel = i * 9 + tap;
            vec4 weights = texelFetch(t_W, ivec2(texel % u_width, texel / u_width), 0);
            ivec2 from = at + ivec2(tap % 3, tap / 3) - 1;
            bool inside = all(greaterThanEqual(from, ivec2(0))) && all(lessThan(from, ivec2(8)));
            sum += inside ? weights * texelFetch(t_X, from, 0)[i] : vec4(0.0);
        }
    }
    Y = sum;
}
"""
# Blocks of 4 x 4 weights, outputs fastest; activations have their channels last.
DISPATCHED = """\
#version 430
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer image_blob { float image[]; };
layout(std430, binding = 1) readonly buffer weight_blob { float weights[]; };
layout(std430, binding = 2) readonly buffer bias_blob { float bias[]; };
layout(std430, binding = 3) writeonly buffer top_blob { float top[]; };

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    for (int o = 0; o < 4; o++) {
        float sum = bias[o];
        for (int tap = 0; tap < 9; tap++) {
            ivec2 from = at + ivec2(tap % 3, tap / 3) - 1;
            if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, ivec2(8)))) continue;
            for (int i = 0; i < 3; i++) {
                sum += weights[(tap * 4 + i) * 4 + o] * image[(from.y * 8 + from.x) * 3 + i];
            }
        }
        top[(at.y * 8 + at.x) * 4 + o] = sum;
    }
}
"""
DRAWN_TOML = """\
[pipeline]
model = "model.onnx"

[[input]]
name = "image"
shape = [1, 3, 8, 8]
source = "random:1"
layout = "channel_tiles_rgba"

[[pass]]
name = "conv1"
shader = "drawn.frag"
output = { shape = [1, 4, 8, 8], layout = { name = "ordered_rgba", order = "n, y, x, c", width = 8 } }
textures.t_X = "image"
textures.t_W = { tensor = "conv1.weight", layout = { name = "ordered_rgba", order = "o/4, i, ky, kx, o%4", width = 5 } }
textures.t_B = { tensor = "conv1.bias", layout = "row_major_rgba" }
uniforms.u_width = "size(t_W).x"
"""
DISPATCHED_TOML = """\
[pipeline]
model = "model.onnx"

[[input]]
name = "image"
shape = [1, 3, 8, 8]
source = "random:1"
layout = { name = "ordered", order = "n, y, x, c" }

[[pass]]
name = "conv1"
shader = "dispatched.comp"
output = { shape = [1, 4, 8, 8], layout = { name = "ordered", order = "n, y, x, c" } }
buffers.image_blob = "image"
buffers.weight_blob = { tensor = "conv1.weight", layout = { name = "ordered", order = "o/4, i/4, ky, kx, i%4 o%4" } }
buffers.bias_blob = "conv1.bias"
buffers.top_blob = "conv1"
dispatch = [1, 1, 1]
"""


def folder(tmp_path: Path, toml: str) -> Path:
    return write_folder(tmp_path, toml, drawn_frag=DRAWN, dispatched_comp=DISPATCHED)


@pytest.mark.parametrize("toml", [DRAWN_TOML, DISPATCHED_TOML], ids=["drawn", "dispatched"])
def test_a_pass_that_reads_and_writes_ordered_tensors_matches(gl: moderngl.Context, tmp_path: Path, toml: str) -> None:
    with pipeline.open(folder(tmp_path, toml), context=gl) as session:
        session.run()
        assert session.compare().verdict == "match"
        taps = session.taps("conv1", (0, 2, 3, 4))
        assert taps.reads
        assert taps.missing() == taps.unexpected() == {}


def test_weights_in_rows_of_another_width_than_they_are_read_in_are_a_wrong_layout(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    toml = DRAWN_TOML.replace('"size(t_W).x"', "6")
    with pipeline.open(folder(tmp_path, toml), context=gl) as session:
        session.run()
        findings = session.compare().passes[0].findings
        (finding,) = (each for each in findings if each.cause == "wrong_layout")
        assert finding.explained == 1.0
        assert 'layout = { name = "ordered_rgba", order = "o/4, i, ky, kx, o%4", width = 6 }' in finding.remedy


def test_an_output_that_is_written_in_an_order_of_axes_is_told_the_order(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = DISPATCHED_TOML.replace('[1, 4, 8, 8], layout = { name = "ordered", order = "n, y, x, c" }', "[1, 4, 8, 8]")
    with pipeline.open(folder(tmp_path, toml), context=gl) as session:
        session.run()
        finding = session.compare().passes[0].findings[0]
        assert finding.cause == "wrong_layout"
        assert finding.explained == 1.0
        assert 'or make \'conv1\' with layout = { name = "ordered", order = "y, x, c"' in finding.remedy
