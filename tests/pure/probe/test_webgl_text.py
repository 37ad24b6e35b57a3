"""Tests which shaders WebGL 2 takes, and with which head."""

from __future__ import annotations

import dataclasses

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Pass, ProgramSource, Refusal, Sampler, SourceFile
from texelscope.pipeline.probe.webgl_text import webgl_shaders
from texelscope.pipeline.sampler_kinds import SamplerKind

BODY = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n"


def a_pass(fragment: str, vertex: str | None = None, refused: Refusal | None = None) -> Pass:
    program = ProgramSource(fragment, (SourceFile(1, "a.frag", fragment),), vertex, refused)
    return Pass("first", "Shader", ("y",), (), program)


@pytest.mark.parametrize("version", ["#version 300 es", "#version 100"])
def test_a_shader_of_webgl_stays_as_it_is(version: str) -> None:
    text = f"{version}\nprecision mediump float;\n{BODY}"
    vertex, fragment = webgl_shaders(a_pass(text))
    assert fragment == text
    assert vertex.startswith(version)


@pytest.mark.parametrize("version", ["#version 330 core", "#version 330", "#version 150", "#version 130"])
def test_desktop_glsl_gets_the_head_of_es_in_full_precision_and_keeps_its_lines(version: str) -> None:
    vertex, fragment = webgl_shaders(a_pass(f"{version}\n// a comment\n{BODY}"))
    lines = fragment.splitlines()
    assert lines[0] == "#version 300 es"
    assert "precision highp sampler2D;" in lines[1:4]
    assert lines[4:6] == ["#line 2 0", "// a comment"]
    assert vertex.startswith("#version 300 es")


def test_lanes_that_are_written_in_a_loop_are_those_of_a_variable() -> None:
    text = (
        "#version 330 core\nout vec4 Y;\n\nvoid main() {\n    for (int lane = 0; lane < 4; lane++) Y[lane] = 1.0;\n}\n"
    )
    _, fragment = webgl_shaders(Pass("p", "Shader", ("y",), (), ProgramSource(text, ())))
    assert "out vec4 Y_whole; vec4 Y;\n" in fragment
    assert fragment.endswith("Y[lane] = 1.0;\n    Y_whole = Y;\n}\n")
    by_number = text.replace("lane]", "0]")
    assert "Y_whole" not in webgl_shaders(Pass("p", "Shader", ("y",), (), ProgramSource(by_number, ())))[1]


def test_a_vertex_shader_of_the_authors_own_goes_along() -> None:
    own = "#version 330\nin vec2 a_position;\nvoid main() { gl_Position = vec4(a_position, 0.0, 1.0); }\n"
    vertex, _ = webgl_shaders(a_pass(f"#version 330\n{BODY}", own))
    assert vertex.startswith("#version 300 es")
    assert "in vec2 a_position;" in vertex


def test_a_sampler_that_a_page_cannot_fill_is_refused() -> None:
    shader_pass = dataclasses.replace(
        a_pass(f"#version 300 es\n{BODY}"), samplers=(Sampler("u_at", "at", kind=SamplerKind("int", "3D")),)
    )
    message = r"pass 'first' \(a\.frag\): expected samplers of the type sampler2D, .*, got isampler3D 'u_at'\. Run"
    with pytest.raises(TexelscopeError, match=message):
        webgl_shaders(shader_pass)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        (f"#version 430\n{BODY}", "#version 430. Lower its #version if it needs no more."),
        (f"#version 310 es\n{BODY}", "#version 310 es. Lower its #version if it needs no more."),
        (BODY, "no #version. Lower its #version if it needs no more."),
        (
            "#version 430\nlayout(std430) buffer Values { float values[]; };\n",
            "#version 430 with storage buffers. WebGL 2 has none of them.",
        ),
        (
            "#version 430\nlayout(local_size_x = 8) in;\nuniform writeonly image2D u_out;\n",
            "#version 430 with images and work groups. WebGL 2 has none of them.",
        ),
    ],
)
def test_a_shader_that_webgl_does_not_take_is_named(text: str, got: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        webgl_shaders(a_pass(text))
    assert str(caught.value) == (
        "pass 'first' (a.frag): expected a shader that WebGL 2 takes, of GLSL ES 1.00, 3.00 or desktop GLSL up to "
        f"3.30, got {got}"
    )


def test_a_program_that_is_refused_here_is_not_handed_on() -> None:
    with pytest.raises(TexelscopeError, match=r"a\.frag: expected a shader that may run, got a loop without end\."):
        webgl_shaders(a_pass("", refused=Refusal("a.frag", "a loop without end")))
