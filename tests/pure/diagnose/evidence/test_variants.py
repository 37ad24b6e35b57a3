"""Variants change what they are for, and nothing where they cannot help."""

from __future__ import annotations

import pytest

from texelscope.pipeline.diagnose.evidence.variants import in_full_precision, moved_reads, samples
from texelscope.pipeline.plan import ProgramSource

ES = "// by hand\n#version 300 es\nprecision mediump float;\nuniform lowp sampler2D t_x; // lowp\nout vec4 y;\n"
BODY = "void main() { y = texture(t_x, vec2(0.5)); }\n"


def program(text: str) -> ProgramSource:
    return ProgramSource(text, ())


def test_an_es_shader_is_highp_throughout_below_its_version() -> None:
    made = in_full_precision(program(ES + BODY))
    assert made is not None
    lines = made.fragment.split("\n")
    assert lines[:3] == ["// by hand", "#version 300 es", "precision highp float;"]
    after = lines[lines.index("#line 3 0") + 1 :]
    assert after[:2] == ["precision highp float;", "uniform highp sampler2D t_x; // lowp"]


@pytest.mark.parametrize("version", ["330 core", "430", "330 // es"])
def test_one_that_is_not_es_has_no_precision_to_raise(version: str) -> None:
    assert in_full_precision(program(f"#version {version}\n{BODY}")) is None


def test_reads_are_moved_below_version_and_extensions() -> None:
    made = moved_reads(program(f"#version 330 core\n#extension GL_X : enable\nout vec4 y;\n{BODY}"))
    assert made is not None
    lines = made.fragment.split("\n")
    assert lines[:2] == ["#version 330 core", "#extension GL_X : enable"]
    assert lines[lines.index("#line 3 0") - 1].startswith("#define texture")
    assert lines[lines.index("#line 3 0") + 1] == "out vec4 y;"


@pytest.mark.parametrize("head", ["", "// #version 330\n"])
def test_reads_of_no_version_are_not_moved(head: str) -> None:
    assert moved_reads(program(head + BODY)) is None


@pytest.mark.parametrize("head", ["#version 120\n", "#version 100\n"])
def test_reads_of_old_versions_are_moved_in_one_that_knows_sizes(head: str) -> None:
    made = moved_reads(program(head + BODY.replace("texture(", "texture2D(")))
    assert made is not None
    assert made.fragment.startswith("#version 330 core\n#define texture2D texture\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (BODY, True),
        ("void main() { y = texelFetch(t_x, ivec2(0), 0); }", False),
        ("#define READ(p) texture(t_x, p)\nvoid main() { y = READ(vec2(0)); }", True),
        ("// texture(t_x, p)\nvoid main() { }", False),
    ],
)
def test_a_shader_samples_if_it_reads_at_coordinates(body: str, expected: bool) -> None:
    assert samples(program(f"#version 330 core\n{body}")) is expected
