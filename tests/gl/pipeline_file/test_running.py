"""Tests shaders of every kind, run exactly as written and compared."""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import ShaderError, TexelscopeError

ORACLE = '[pipeline]\noracle = "oracle.py"\n'
IDENTITY = "def copy(t_X):\n    return t_X\n"


def doubling(dtype: str, factor: float) -> tuple[str, dict[str, str]]:
    toml = ORACLE + INPUT + PASS.replace('"channel_tiles" }', f'"channel_tiles", dtype = "{dtype}" }}')
    shader = COPY.replace("0);", f"0) * {factor:f};")
    return toml, {"copy_frag": shader, "oracle_py": f"def copy(t_X):\n    return {factor:f} * t_X\n"}


@pytest.mark.parametrize(
    ("dtype", "factor", "verdict"),
    [
        ("float32", 2.0, "match"),
        ("float16", 2.0 / 3.0, "precision"),
        ("uint8", 0.7, "precision"),
        ("uint8", 1.5, "mismatch"),
    ],
)
def test_a_target_stores_what_its_type_can_hold(
    gl: moderngl.Context, tmp_path: Path, dtype: str, factor: float, verdict: str
) -> None:
    toml, files = doubling(dtype, factor)
    with pipeline.open(write_folder(tmp_path, toml, **files), context=gl, trust=True) as session:
        session.run()
        assert session.compare(findings=False).passes[0].verdict == verdict
        assert session.tensor("copy").max() <= (1.0 if dtype == "uint8" else factor)


def test_every_colour_attachment_is_compared(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = """\
#version 330 core
uniform sampler2D t_X;
layout(location = 0) out float first;
layout(location = 1) out float second;

void main() {
    float x = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0).r;
    first = x + 1.0;
    second = x * SCALE;
}
"""
    outputs = (
        '[{ name = "plus", shape = [1, 3, 8, 8], layout = "channel_tiles" },'
        ' { name = "times", shape = [1, 3, 8, 8], layout = "channel_tiles" }]'
    )
    each = PASS.replace('{ shape = [1, 3, 8, 8], layout = "channel_tiles" }', outputs)
    oracle = "def plus(t_X): return t_X + 1\ndef times(t_X): return t_X * 3\n"
    verdicts = {}
    for scale in (3, 4):
        toml = ORACLE + INPUT + each + f"defines.SCALE = {scale}.0\n"
        path = write_folder(tmp_path / str(scale), toml, copy_frag=shader, oracle_py=oracle)
        with pipeline.open(path, context=gl, trust=True) as session:
            session.run()
            report = session.compare(findings=False).passes[0]
            verdicts[scale] = (report.verdict, report.message)
            assert np.array_equal(session.tensor("times"), session.tensor("image") * np.float32(scale))
    assert verdicts == {3: ("match", "Colour attachment 'plus'."), 4: ("mismatch", "Colour attachment 'times'.")}


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("300 es", "in vec2 v_uv;\nout vec4 Y;\nvoid main() { Y = texture(t_X, v_uv); }\n"),
        ("330 core", "in vec2 v_uv;\nout vec4 Y;\nvoid main() { Y = texture(t_X, v_uv); }\n"),
        ("430", "layout(location = 3) in vec2 v_uv;\nout vec4 Y;\nvoid main() { Y = texture(t_X, v_uv); }\n"),
        ("100", "varying vec2 v_uv;\nvoid main() { gl_FragColor = texture2D(t_X, v_uv); }\n"),
    ],
)
def test_a_shader_of_any_version_gets_its_place_from_the_default_vertex_shader(
    gl: moderngl.Context, tmp_path: Path, version: str, text: str
) -> None:
    precision = "precision highp float;\n" if version in ("300 es", "100") else ""
    sampler = "uniform highp sampler2D t_X;\n" if precision else "uniform sampler2D t_X;\n"
    shader = f"#version {version}\n{precision}{sampler}{text}"
    path = write_folder(tmp_path, ORACLE + INPUT + PASS, copy_frag=shader, oracle_py=IDENTITY)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.shader_error("copy") is None
        assert session.compare(findings=False).verdict == "match"


def test_a_vertex_shader_of_a_web_page_gets_position_and_coordinate(gl: moderngl.Context, tmp_path: Path) -> None:
    vertex = """\
#version 300 es
in vec4 a_position;
in vec2 a_texcoord;
out vec2 v_texcoord;

void main() {
    gl_Position = a_position;
    v_texcoord = a_texcoord;
}
"""
    shader = "#version 300 es\nprecision highp float;\nuniform highp sampler2D t_X;\nin vec2 v_texcoord;\nout vec4 Y;\n"
    shader += "void main() { Y = texture(t_X, v_texcoord); }\n"
    toml = ORACLE + INPUT + PASS + 'vertex = "quad.vert"\n'
    path = write_folder(tmp_path, toml, copy_frag=shader, quad_vert=vertex, oracle_py=IDENTITY)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.compare(findings=False).verdict == "match"


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ({"copy_frag": COPY.replace("t_X, ivec2", "t_X, ivec7")}, "copy.frag:6"),
        (
            {"copy_frag": COPY.replace("out vec4", '#include "f.glsl"\nout vec4'), "f_glsl": "\n\nfloat f = g;\n"},
            "f.glsl:3",
        ),
        ({"copy_frag": "#version 777\nvoid main() {}\nuniform sampler2D t_X;\n"}, "copy.frag:1"),
        ({"copy_frag": "#version 330 core\nuniform sampler2D t_X;\n" + " " * (4 << 20)}, "copy.frag:1"),
    ],
)
def test_an_error_of_the_driver_names_the_author_s_line(
    gl: moderngl.Context, tmp_path: Path, broken: dict[str, str], place: str
) -> None:
    path = write_folder(tmp_path, INPUT + PASS, **broken)
    with pipeline.open(path, context=gl) as session:
        session.run()
        error = session.shader_error("copy")
        assert isinstance(error, ShaderError)
        assert str(error).startswith(f"{place}: expected a shader that compiles")
        assert session.compare(findings=False).passes[0].verdict == "error"


def test_an_error_in_the_vertex_shader_names_its_file(gl: moderngl.Context, tmp_path: Path) -> None:
    vertex = "#version 330 core\nvoid main() {\n    gl_Position = vec5(0.0);\n}\n"
    path = write_folder(tmp_path, INPUT + PASS + 'vertex = "v.vert"\n', v_vert=vertex)
    with pipeline.open(path, context=gl) as session:
        session.run()
        assert str(session.shader_error("copy")).startswith("v.vert:3: ")


def test_a_shader_too_large_to_be_read_fails_by_itself_until_it_is_replaced(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    large = PASS.replace('"copy"', '"large"').replace("copy.frag", "large.frag")
    path = write_folder(tmp_path, INPUT + PASS + large, large_frag="#version 330 core\n" + " " * (4 << 20))
    with pipeline.open(path, context=gl) as session:
        session.run()
        assert (session.has_run("copy"), session.has_run("large")) == (True, False)
        assert str(session.shader_error("large")) == (
            "large.frag:1: expected a shader that compiles, got 4194322 bytes of source, more than 4194304. "
            "Correct it; until then the pass does not run."
        )
        session.replace_shader("large", COPY)
        session.run()
        np.testing.assert_array_equal(session.tensor("large"), session.tensor("copy"))


def test_one_whose_vertex_shader_is_too_large_names_that_and_stays_so(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, INPUT + PASS + 'vertex = "v.vert"\n', v_vert="#version 330 core\n" + " " * (4 << 20))
    with pipeline.open(path, context=gl) as session:
        session.run()
        assert str(session.shader_error("copy")).startswith("v.vert:1: expected a shader that compiles, got 4194322")
        with pytest.raises(ShaderError, match=r"v\.vert:1: .* got 4194322 bytes of source, more than 4194304"):
            session.replace_shader("copy", COPY)


def test_an_oracle_that_is_not_trusted_leaves_the_passes_running(gl: moderngl.Context, tmp_path: Path) -> None:
    code = "import pathlib\npathlib.Path(__file__ + '.ran').touch()\n" + IDENTITY
    path = write_folder(tmp_path, ORACLE + INPUT + PASS, oracle_py=code)
    with pipeline.open(path, context=gl) as session:
        session.run()
        assert session.has_run("copy")
        report = session.compare(findings=False).passes[0]
        assert (report.verdict, report.message) == (
            "not_compared",
            "oracle.py is code and was not run; trust it (--trust) to compare.",
        )
        assert report.not_chained == report.message
    assert not [*tmp_path.glob("*.ran")]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "def copy(t_X):\n    return t_X[0]\n",
            r"oracle.py: copy\(\): expected real numbers of shape \[1, 3, 8, 8\]",
        ),
        (
            "def copy(t_X):\n    return 1 / 0\n",
            r"oracle.py:2: copy\(\): expected a function that returns an array, got Z",
        ),
        ("copy = 3\n", r"oracle.py: expected a function 'copy', got int"),
    ],
)
def test_a_pass_whose_function_fails_is_not_compared_and_says_why(
    gl: moderngl.Context, tmp_path: Path, code: str, message: str
) -> None:
    path = write_folder(tmp_path, ORACLE + INPUT + PASS, oracle_py=code)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        report = session.compare(findings=False).passes[0]
    assert report.verdict == "not_compared"
    assert re.match(message, report.message)
    assert report.not_chained == report.message


def test_an_oracle_file_that_fails_is_an_error_with_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, ORACLE + INPUT + PASS, oracle_py="import no_such_module\n" + IDENTITY)
    with (
        pipeline.open(path, context=gl, trust=True) as session,
        pytest.raises(TexelscopeError, match=r"oracle\.py:1: expected Python that runs, got ModuleNotFoundError"),
    ):
        session.compare(findings=False)


def test_a_tolerance_of_one_s_own_takes_the_place_of_the_bound(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = COPY.replace("0);", "0) + 0.001;")
    verdicts = []
    for tolerance in ("", "tolerance.atol = 0.01\n"):
        path = write_folder(tmp_path, ORACLE + INPUT + PASS + tolerance, copy_frag=shader, oracle_py=IDENTITY)
        with pipeline.open(path, context=gl, trust=True) as session:
            session.run()
            verdicts.append(session.compare(findings=False).verdict)
    assert verdicts == ["mismatch", "match"]
