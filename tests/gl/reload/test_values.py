"""Other values of a pipeline file run from their pass on; a bad define leaves the last good program."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from texelscope import pipeline
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

SHADER = """\
#version 330 core
uniform sampler2D t_X;
uniform float u_gain;
out vec4 Y;

void main() {
    Y = u_gain * float(TIMES) * texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
}
"""
PASS = """
[[pass]]
name = "{name}"
shader = "gain.frag"
output = {{ shape = [1, 1, 4, 4], layout = "channel_tiles" }}
textures.t_X = "{read}"
uniforms.u_gain = {gain}
defines.TIMES = 1
"""
INPUT = '[[input]]\nname = "image"\nshape = [1, 1, 4, 4]\nlayout = "channel_tiles"\nsource = "ones"\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Returns three passes in a row, each of which multiplies."""
    (tmp_path / "gain.frag").write_text(SHADER)
    path = tmp_path / "pipeline.toml"
    passes = (PASS.format(name=name, read=read, gain=2) for name, read in (("a", "image"), ("b", "a"), ("c", "b")))
    path.write_text(INPUT + "".join(passes))
    return path


def test_other_values_run_from_their_pass_on_and_the_file_stays(gl: moderngl.Context, path: Path) -> None:
    before = path.read_bytes()
    with pipeline.open(path, context=gl) as session, Reloader(session, path, OpenOptions()) as reloader:
        session.run()
        done = reloader.vary({"b.uniforms.u_gain": "3"})
        assert (done.passes, done.errors) == (("b", "c"), ())
        assert np.all(session.tensor("c") == 12.0)
        done = reloader.vary({"b.uniforms.u_gain": "3", "c.defines.TIMES": "5"})
        assert done.passes == ("c",)
        assert np.all(session.tensor("c") == 60.0)
        reloader.vary({})
        assert np.all(session.tensor("c") == 8.0)
    assert path.read_bytes() == before


def test_a_saved_shader_keeps_the_values(gl: moderngl.Context, path: Path) -> None:
    with pipeline.open(path, context=gl) as session, Reloader(session, path, OpenOptions()) as reloader:
        session.run()
        reloader.vary({"b.uniforms.u_gain": "3"})
        shader = path.with_name("gain.frag")
        shader.write_text(SHADER.replace("u_gain * float", "2.0 * u_gain * float"))
        reloader.reload(frozenset({shader.resolve()}))
        assert np.all(session.tensor("c") == 8.0 * 12.0)


def test_a_define_that_does_not_compile_leaves_the_last_good_program(gl: moderngl.Context, path: Path) -> None:
    with pipeline.open(path, context=gl) as session, Reloader(session, path, OpenOptions()) as reloader:
        session.run()
        (error,) = reloader.vary({"b.defines.TIMES": "nothing"}).errors
        assert isinstance(error, ShaderError)
        assert (error.file, error.line) == ("gain.frag", 7)
        session.run()
        assert np.all(session.tensor("c") == 8.0)
        assert reloader.vary({"b.defines.TIMES": "2"}).errors == ()
        assert np.all(session.tensor("c") == 16.0)


def test_a_refused_value_changes_nothing(gl: moderngl.Context, path: Path) -> None:
    with pipeline.open(path, context=gl) as session, Reloader(session, path, OpenOptions()) as reloader:
        session.run()
        (error,) = reloader.vary({"b.uniforms.u_gain": "[1, 2]"}).errors
        assert isinstance(error, TexelscopeError)
        assert "uniforms.u_gain: expected 1 number for float, got 2" in str(error)
        assert np.all(session.tensor("c") == 8.0)
        assert reloader.reload(frozenset()).errors == (), "it is forgotten"
