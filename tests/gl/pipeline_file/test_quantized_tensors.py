"""Tests tensors of 8 bits with a scale and a zero point: shaders read the steps, comparisons see the values."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline

# Eight baked features in two textures of four channels, as radiance networks for the browser have them.
FEATURES = """\
#version 330 core
uniform sampler2D t_A;
uniform sampler2D t_B;
uniform vec4 u_scale;
uniform float u_zero;
out vec4 sum;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 a = (texelFetch(t_A, at, 0) * 255.0 - u_zero) * u_scale;
    vec4 b = texelFetch(t_B, at, 0) * 14.0 - 7.0;
    sum = max(a + b, 0.0);
}
"""
INTEGERS = """\
#version 330 core
uniform usampler2D t_A;
out vec4 sum;

void main() {
    uvec4 steps = texelFetch(t_A, ivec2(gl_FragCoord.xy), 0);
    sum = (vec4(steps) - 100.0) * vec4(0.5, 0.25, 1.0, 2.0);
}
"""
ENCODED = """\
#version 330 core
uniform sampler2D t_X;
out vec4 Y;

void main() {
    vec4 x = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
    Y = (x * 1.5 / SCALE + 20.0) / 255.0;
}
"""
HEAD = '[pipeline]\noracle = "oracle.py"\n'
TEXTURE = """
[[input]]
name = "{name}"
shape = [1, 4, 6, 5]
layout = "channel_tiles_rgba"
source = "{source}"
dtype = "uint8"
scale = {scale}
zero_point = {zero}
"""
A = TEXTURE.format(name="a", source="a.png", scale="[0.5, 0.25, 1, 2]", zero=100)
B = TEXTURE.format(name="b", source="normal:3", scale=14 / 255, zero=127.5)
PASS = """
[[pass]]
name = "sum"
shader = "{shader}"
output = {{ shape = [1, 4, 6, 5], layout = "channel_tiles_rgba" }}
textures.t_A = "a"
"""
SCALES = np.array([0.5, 0.25, 1.0, 2.0]).reshape(1, 4, 1, 1)


def folder(tmp_path: Path, toml: str, oracle: str, **files: str) -> tuple[Path, np.ndarray]:
    """Returns the file, and the steps of its picture: [1, 4, 6, 5]."""
    path = write_folder(tmp_path, HEAD + toml, oracle_py=oracle, **files)
    steps = np.random.default_rng(5).integers(0, 256, (6, 5, 4), dtype=np.uint8)
    Image.fromarray(steps, "RGBA").save(path.parent / "a.png")
    return path, steps.transpose(2, 0, 1)[None]


def test_features_in_two_textures_have_the_values_that_their_steps_stand_for(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    toml = A + B + PASS.format(shader="sum.frag") + 'textures.t_B = "b"\n'
    toml += "uniforms.u_scale = [0.5, 0.25, 1, 2]\nuniforms.u_zero = 100\n"
    oracle = "import numpy as np\ndef sum(t_A, t_B): return np.maximum(t_A + t_B, 0)\n"
    path, steps = folder(tmp_path, toml, oracle, sum_frag=FEATURES)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.compare().verdict == "match"
        np.testing.assert_array_equal(session.tensor("a"), (steps - 100.0) * SCALES)
        # What a shader reads is what the texture holds.
        np.testing.assert_array_equal(session.texels("a")[:, :, 2], (steps[0, 2] / 255.0).astype(np.float32))
        assert abs(session.tensor("b")).max() > 1.0
        session.replace_shader("sum", FEATURES.replace("- u_zero", "- 99.0"))
        session.run()
        assert session.compare(findings=False).verdict == "mismatch"


def test_an_integer_sampler_reads_the_steps(gl: moderngl.Context, tmp_path: Path) -> None:
    path, steps = folder(tmp_path, A + PASS.format(shader="sum.frag"), "def sum(t_A): return t_A\n", sum_frag=INTEGERS)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        np.testing.assert_array_equal(session.tensor("sum"), (steps - 100.0) * SCALES)
        assert session.compare().verdict == "match"
        (tap,) = session.taps("sum", (0, 1, 2, 3)).reads
        assert tap.key == "a"


@pytest.mark.parametrize(("scale", "verdict"), [(0.1, "precision"), (0.102, "mismatch")])
def test_an_output_is_right_within_half_a_step(
    gl: moderngl.Context, tmp_path: Path, scale: float, verdict: str
) -> None:
    toml = TEXTURE.format(name="image", source="random:1", scale=0.01, zero=0).replace('dtype = "uint8"\n', "")
    toml = toml.replace("scale = 0.01\nzero_point = 0\n", "")
    output = 'shape = [1, 4, 6, 5], layout = "channel_tiles_rgba", dtype = "uint8", scale = 0.1, zero_point = 20'
    toml += f'\n[[pass]]\nname = "y"\nshader = "y.frag"\noutput = {{ {output} }}\ntextures.t_X = "image"\n'
    toml += f"defines.SCALE = {scale}\n"
    path, _ = folder(tmp_path, toml.replace("random:1", "normal:1"), "def y(t_X): return t_X * 1.5\n", y_frag=ENCODED)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.set_input("image", np.linspace(-1.0, 15.0, 120, dtype=np.float32).reshape(1, 4, 6, 5))
        session.run()
        report = session.compare().passes[0]
        assert report.verdict == verdict
        off = abs(session.tensor("y") - 1.5 * session.tensor("image"))
        assert (off.max() <= 0.0501) == (verdict == "precision")


def test_weights_of_a_model_may_have_a_scale_for_each_output(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = """\
[pipeline]
model = "model.onnx"

[[input]]
name = "image"
shape = [1, 3, 8, 8]
layout = "channel_tiles"
source = "random:1"

[[pass]]
name = "conv1"
shader = "conv.frag"
output = { shape = [1, 4, 8, 8], layout = "channel_tiles_rgba" }
textures.t_X = "image"
textures.t_B = { tensor = "conv1.bias", layout = "row_major_rgba" }

[pass.textures.t_W]
tensor = "conv1.weight"
layout = { name = "ordered_rgba", order = "i, ky, kx, o", width = 27 }
dtype = "uint8"
scale = [0.02, 0.025, 0.03, 0.02]
zero_point = [128, 127, 126, 128]
axis = 0
"""
    shader = """\
#version 330 core
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;
out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(t_B, ivec2(0), 0);
    for (int i = 0; i < 3; i++) {
        for (int tap = 0; tap < 9; tap++) {
            ivec2 from = at + ivec2(tap % 3, tap / 3) - 1;
            if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, ivec2(8)))) continue;
            vec4 steps = texelFetch(t_W, ivec2(i * 9 + tap, 0), 0) * 255.0;
            vec4 weights = (steps - vec4(128.0, 127.0, 126.0, 128.0)) * vec4(0.02, 0.025, 0.03, 0.02);
            sum += weights * texelFetch(t_X, from + ivec2(i % 2, i / 2) * 8, 0).r;
        }
    }
    Y = sum;
}
"""
    with pipeline.open(write_folder(tmp_path, toml, conv_frag=shader), context=gl) as session:
        session.run()
        report = session.compare()
        assert report.verdict == "match"
        # The rounding of stored weights is no error of the pass, but one end to end.
        assert report.passes[0].chained is not None
        assert report.passes[0].chained.mismatched > 0
        session.replace_shader("conv1", shader.replace("127.0, 126.0", "128.0, 128.0"))
        session.run()
        assert session.compare().passes[0].verdict == "mismatch"


def test_the_rounding_of_a_shader_that_undoes_the_mapping_is_in_the_bound(gl: moderngl.Context, tmp_path: Path) -> None:
    """Relu itself rounds nothing."""
    toml = """\
[pipeline]
model = "model.onnx"

[[input]]
name = "x"
oracle = "conv1"
shape = [1, 4, 8, 8]
layout = "channel_tiles_rgba"
source = "normal:2"
dtype = "uint8"
scale = 0.0371
zero_point = 90.3

[[pass]]
name = "relu1"
shader = "relu.frag"
output = { shape = [1, 4, 8, 8], layout = "channel_tiles_rgba" }
textures.t_X = "x"
"""
    shader = """\
#version 330 core
uniform sampler2D t_X;
out vec4 Y;

void main() {
    Y = max((texelFetch(t_X, ivec2(gl_FragCoord.xy), 0) * 255.0 - 90.3) * 0.0371, 0.0);
}
"""
    with pipeline.open(write_folder(tmp_path, toml, relu_frag=shader), context=gl) as session:
        session.run()
        assert session.compare().passes[0].verdict == "match"
