"""On a driver of desktop OpenGL alone a WebGL shader computes what it computes on one with OpenGL ES."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.machines.profiles import MACHINES, ROOT
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline

# By the name of a pass, its shader.
SHADERS = {
    "webgl2": """\
#version 300 es
precision mediump float; // Σ · ≤
precision highp sampler2D;
#define AT(x) \\
    texelFetch(t_x, x, 0)
uniform sampler2D t_x;
out highp vec4 y;
void main() { y = AT(ivec2(gl_FragCoord.xy)) * 2.0; }
""",
    "packed": """\
#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D t_x;
out vec4 y;
void main() {
    vec4 x = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0);
    y = vec4(unpackHalf2x16(packHalf2x16(x.xy)), unpackSnorm2x16(packSnorm2x16(x.zw)));
    y.w += unpackUnorm2x16(packUnorm2x16(x.wx)).x;
}
""",
    "webgl1": """\
precision highp float;
varying vec2 v_uv;
uniform highp sampler2D texture;
void main() { gl_FragColor = texture2D(texture, v_uv) + 1.0; }
""",
    "es31": """\
#version 310 es
precision highp float;
layout(binding = 3) uniform highp sampler2D t_x;
layout(location = 0) out vec4 y;
void main() { y = textureLod(t_x, (floor(gl_FragCoord.xy) + 0.5) / vec2(5.0, 4.0), 0.0); }
""",
    "wrong": """\
#version 300 es
precision highp float;
uniform highp sampler2D t_x;
out vec4 y;
void main() {
    y = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0).xyz;
}
""",
    "helper": """\
#version 310 es
precision highp float;
uniform highp sampler2D t_x;
out vec4 y;
void main() {
    y = gl_HelperInvocation ? vec4(0.0) : texelFetch(t_x, ivec2(0), 0);
}
""",
}
RUN = """
import sys
import numpy as np
from texelscope import pipeline
with pipeline.open(sys.argv[1]) as session:
    session.run()
    names = [each.name for each in session.plan.passes]
    for name in names:
        if not session.has_run(name):
            print(session.shader_error(name))
    np.savez(sys.argv[2], **{name: session.tensor(name) for name in names if session.has_run(name)})
"""
DISPATCHED = ROOT / "examples" / "convolution_twice" / "pipeline.toml"


def folder_of_all(folder: Path) -> Path:
    """Writes a pass for each shader; they read the same numbers, some beyond a half's range and below its smallest."""
    values = np.random.default_rng(7).normal(0.0, 0.5, (1, 4, 4, 5)).astype(np.float32)
    values.flat[::10] = [1e5, -65519.0, 6e-8, 3e-5, -0.0, 7e8, 65520.0, -2e-8]
    folder.mkdir()
    np.save(folder / "x.npy", values)
    toml = '[[input]]\nname = "x"\nshape = [1, 4, 4, 5]\nlayout = "channel_tiles"\nsource = "x.npy"\n'
    for name in SHADERS:
        sampler = "texture" if name == "webgl1" else "t_x"
        toml += (
            f'[[pass]]\nname = "{name}"\nshader = "{name}.frag"\ntextures.{sampler} = "x"\n'
            'output = { shape = [1, 4, 4, 5], layout = "channel_tiles" }\n'
        )
    return write_folder(folder, toml, **{f"{name}_frag": text for name, text in SHADERS.items()})


def run_on(machine: str, *arguments: str) -> str:
    environment = MACHINES[machine].process_environment()
    run = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize(("machine", "version"), [("strict-4.1", "4.1"), ("strict-3.3", "3.3")])
def test_shaders_of_es_compute_the_same_there_and_errors_keep_their_lines(
    gl: moderngl.Context, tmp_path: Path, machine: str, version: str
) -> None:
    path = folder_of_all(tmp_path / "all")
    told = run_on(machine, str(path), str(tmp_path / "there.npz")).splitlines()
    there = np.load(tmp_path / "there.npz")
    assert sorted(there) == ["es31", "packed", "webgl1", "webgl2"]
    with pipeline.open(path, context=gl) as session:
        session.run()
        for name in there:
            np.testing.assert_array_equal(there[name], session.tensor(name), name)
    assert told[0].startswith("wrong.frag:6: expected a shader that compiles, got ")
    assert told[1:] == [
        "helper.frag:6: expected a shader that compiles, got 'gl_HelperInvocation', which needs OpenGL 4.5; this "
        f"driver has OpenGL {version}. Run it on a driver with OpenGL 4.5, or write it without."
    ]


def test_a_compute_shader_says_which_driver_it_needs(tmp_path: Path) -> None:
    assert run_on("strict-4.1", str(DISPATCHED), str(tmp_path / "there.npz")) == (
        "conv.comp:1: expected a shader that compiles, got a compute shader, which needs OpenGL 4.3; this driver has "
        "OpenGL 4.1. Run it on a driver with OpenGL 4.3, or write it as a fragment pass.\n"
    )


def test_a_driver_of_opengl_es_alone_computes_the_same_too(gl: moderngl.Context, tmp_path: Path) -> None:
    path = folder_of_all(tmp_path / "all")
    told = run_on("es-3.1", str(path), str(tmp_path / "there.npz")).splitlines()
    there = np.load(tmp_path / "there.npz")
    assert sorted(there) == ["es31", "helper", "packed", "webgl1", "webgl2"]
    with pipeline.open(path, context=gl) as session:
        session.run()
        for name in there:
            np.testing.assert_array_equal(there[name], session.tensor(name), name)
    assert [line.split(" ")[0] for line in told] == ["wrong.frag:6:"]


ON_ES = """
import sys
import numpy as np
from tests.faults import models
from texelscope import pipeline
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.state import is_es, is_llvmpipe
context = headless_context()
assert is_es(context) and context.error == "GL_NO_ERROR", context.error
model = models.conv()
for precision, verdict in (("float32", "match"), ("float16", "precision")):
    with pipeline.open(model.proto, layout="channel_tiles_rgba", precision=precision, context=context) as session:
        session.set_input("x", model.inputs["x"])
        session.run()
        assert session.compare().verdict == verdict, session.compare()
        taps = session.taps("y", (0, 1, 4, 5))
        assert taps.expected and taps.read_elements() == taps.expected, taps
        print(len(taps.reads), "reads", session.trace("y", 7).total, "steps", context.error)
"""


def test_products_of_this_program_run_are_read_and_are_stepped_through_on_opengl_es() -> None:
    run = subprocess.run(
        [sys.executable, "-c", ON_ES], env=MACHINES["es-3.1"].process_environment(), cwd=ROOT, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    first, second = run.stdout.splitlines()
    assert re.fullmatch(r"[1-9]\d* reads [1-9]\d* steps GL_NO_ERROR", first)
    assert re.fullmatch(r"[1-9]\d* reads [1-9]\d* steps GL_NO_ERROR", second)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (
            {
                "MESA_GL_VERSION_OVERRIDE": "3.1",
                "MESA_GLSL_VERSION_OVERRIDE": "140",
                "MESA_GLES_VERSION_OVERRIDE": "2.0",
            },
            r"got OpenGL 3\.1 of llvmpipe .*, which is too old\. Update the driver, or set LIBGL_ALWAYS_SOFTWARE=1",
        ),
        (
            {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"},
            r"got EGL without a driver \(.*found 0 devices\)\. Install a driver: ",
        ),
    ],
)
def test_a_driver_that_does_not_do_is_told_in_one_line(environment: dict[str, str], told: str) -> None:
    program = "from texelscope.pipeline.gl.context import headless_context\nheadless_context()"
    run = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert re.search(told, run.stderr.splitlines()[-1]), run.stderr
