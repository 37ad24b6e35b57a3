"""What a sampler of another kind reads follows the tensor: new inputs, earlier passes, edits, designed inputs."""

from __future__ import annotations

import os
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.pipeline_file.test_sampler_kinds import WHOLE, opened, places
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.reload.reloader import Reloader

INDEX = """
[[input]]
name = "index"
shape = [1, 2, 3, 4]
layout = "channel_tiles"
"""
TWICE = (
    INDEX
    + """
[[pass]]
name = "twice"
shader = "twice.frag"
output = { shape = [1, 2, 3, 4], layout = "channel_tiles" }
textures.u_index = "index"
[[pass]]
name = "sum"
shader = "sum.frag"
output = { shape = [1, 1, 3, 4], layout = "channel_tiles" }
textures.u_planes = "twice"
"""
)
TWICE_TEXT = """#version 330 core
uniform isampler2D u_index;
out vec4 result;
void main() { result = vec4(2 * texelFetch(u_index, ivec2(gl_FragCoord.xy), 0).r); }
"""
SUM_TEXT = """#version 330 core
uniform sampler2DArray u_planes;
out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(u_planes, ivec3(at, 0), 0) + texelFetch(u_planes, ivec3(at, 1), 0);
}
"""
COMPUTED = (
    INDEX
    + """
[[pass]]
name = "y"
shader = "y.comp"
output = { shape = [1, 2, 3, 4] }
textures.u_index = "index"
textures.u_planes = "index"
buffers.Y = "y"
dispatch = [1, 1, 1]
"""
)
COMPUTED_TEXT = """#version 430
layout(local_size_x = 24) in;
uniform isampler2D u_index;
uniform sampler3D u_planes;
layout(std430, binding = 0) writeonly buffer Y { float y[]; };
void main() {
    int i = int(gl_LocalInvocationID.x);
    int whole = texelFetch(u_index, ivec2(i % 8, i / 8), 0).r;
    y[i] = texelFetch(u_planes, ivec3(i % 4, i / 4 % 3, i / 12), 0).r + float(100 * whole);
}
"""


def test_new_inputs_and_an_earlier_pass_are_read(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, TWICE, twice_frag=TWICE_TEXT, sum_frag=SUM_TEXT)
    with pipeline.open(path, context=gl) as session:
        for seed in (1, 2):
            values = places(1, 2, 3, 4, seed=seed)
            session.set_input("index", values)
            session.run()
            np.testing.assert_array_equal(session.tensor("sum"), 2 * values.sum(axis=1, keepdims=True))


def test_a_compute_shader_reads_them_too(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, COMPUTED, y_comp=COMPUTED_TEXT)
    with pipeline.open(path, context=gl) as session:
        values = places(1, 2, 3, 4)
        session.set_input("index", values)
        session.run()
        in_texture = np.concatenate([values[0, 0], values[0, 1]], axis=1)  # two tiles side by side
        np.testing.assert_array_equal(session.tensor("y"), values + 100 * in_texture.reshape(values.shape))


def test_a_saved_shader_that_reads_whole_numbers_now_gets_them(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, TWICE, twice_frag=TWICE_TEXT.replace("isampler", "sampler"), sum_frag=SUM_TEXT)
    for file in tmp_path.iterdir():  # settled, so that the shader alone is read again
        os.utime(file, (1.0, 1.0))
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.set_input("index", np.arange(24).reshape(1, 2, 3, 4))
        session.run()
        (tmp_path / "twice.frag").write_text(TWICE_TEXT.replace("2 *", "3 *"), encoding="utf-8")
        assert reloader.wait(timeout_s=10) is not None
        assert session.plan.textures["index"].dtype == "int32"
        session.run()
        np.testing.assert_array_equal(session.tensor("twice").reshape(-1), 3 * np.arange(24))


def test_an_edit_to_another_kind_of_sampler_is_refused(gl: moderngl.Context, tmp_path: Path) -> None:
    with opened(tmp_path, WHOLE["negative numbers"], gl) as session:
        session.run()
        session.replace_shader("y", session.program_source("y").fragment.replace("isampler2D", "sampler2D"))
        session.run()
        error = session.shader_error("y")
        assert isinstance(error, ShaderError)
        with pytest.raises(ShaderError, match=r"y\.frag:1: .* sampler 'u_index' is no isampler2D, which the plan"):
            raise error


@pytest.mark.parametrize(("value", "got"), [(1.5, r"1\.5 at \[0, 0, 0, 1\]"), (-(2.0**31) - 512, "-2.14748e")])
def test_an_input_of_other_numbers_is_refused(value: float, got: str, gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, TWICE, twice_frag=TWICE_TEXT, sum_frag=SUM_TEXT)
    with pipeline.open(path, context=gl) as session:
        values = np.zeros((1, 2, 3, 4))
        values[0, 0, 0, 1] = value
        with pytest.raises(TexelscopeError, match=rf"input 'index': expected whole numbers from .* int32, got {got}"):
            session.set_input("index", values)


def test_too_many_slices_are_refused_before_the_run(gl: moderngl.Context, tmp_path: Path) -> None:
    most = int(gl.info["GL_MAX_ARRAY_TEXTURE_LAYERS"])
    toml = TWICE.replace("[1, 2, 3, 4]", f"[1, {most + 1}, 1, 1]").replace("[1, 1, 3, 4]", "[1, 1, 1, 1]")
    message = rf"textures\.u_planes: expected at most {most} slices of a sampler2DArray on this device, got {most + 1}"
    with pytest.raises(TexelscopeError, match=message):
        pipeline.open(write_folder(tmp_path, toml, twice_frag=TWICE_TEXT, sum_frag=SUM_TEXT), context=gl)
