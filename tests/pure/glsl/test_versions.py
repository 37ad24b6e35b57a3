"""`#version` is read as a driver reads it, wherever it stands, and written without touching what is around it."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.glsl.source_text import head_length, is_es, same_version, version_of, with_directive


@pytest.mark.parametrize(
    ("text", "number", "profile"),
    [
        ("#version 330 core\n", 330, "core"),
        ("#version 300 es", 300, "es"),
        ("#version 120\nint a;", 120, ""),
        ("  #  version\t430  core  \n", 430, "core"),
        ("// mine\n\n#version 300 es // theirs\n", 300, "es"),
        ("/* #version 100 */ #version 330 core\n", 330, "core"),
        ("// #version 100\n#version 330 /* no */ core\n", 330, "core"),
    ],
)
def test_a_version_is_found_outside_comments(text: str, number: int, profile: str) -> None:
    version = version_of(text)
    assert version is not None
    assert (version.number, version.profile) == (number, profile)
    assert text[version.start : version.stop].startswith("#")


@pytest.mark.parametrize("text", ["", "int a;", "// #version 330", "/*\n#version 330\n*/", "int a; #version 330"])
def test_a_text_without_one_has_none(text: str) -> None:
    assert version_of(text) is None
    assert not is_es(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#version 300 es", True),
        ("#version 100", True),
        ("// first\n#version 320 es", True),
        ("#version 330 core", False),
        ("#version 330 // es", False),
        ("#version 110", False),
    ],
)
def test_es_is_told_by_the_profile_or_by_version_100(text: str, expected: bool) -> None:
    assert is_es(text) is expected


@pytest.mark.parametrize(
    ("directive", "offset"),
    [("330 core", 0), ("430", 0), ("300 es", 0), ("100", 0), ("150", 1), ("120", 1)],
)
def test_lines_count_from_the_directive_itself_before_glsl_3_30_and_never_in_es(directive: str, offset: int) -> None:
    version = version_of(f"#version {directive}")
    assert version is not None
    assert version.line_offset == offset


def test_another_version_takes_the_place_of_the_directive_alone() -> None:
    text = "/* a\nb */ #version 300 es // c\nint d;"
    assert with_directive(text, "#version 310 es") == "/* a\nb */ #version 310 es // c\nint d;"
    assert with_directive("int d;", "#version 310 es") == "#version 310 es\nint d;"


def test_a_vertex_shader_takes_the_version_of_its_fragment_shader() -> None:
    assert same_version("#version 330 core\nint v;", "// f\n #version 300 es\nint f;") == "#version 300 es\nint v;"
    assert same_version("int v;", "#version 300 es") == "#version 300 es\nint v;"
    assert same_version("#version 330 core\nint v;", "int f;") == "#version 330 core\nint v;"


def test_a_later_version_takes_the_words_of_an_old_one() -> None:
    old = "#version 100\nattribute vec2 a;\nvarying vec2 b; // no texture2D"
    renamed = "#define attribute in\n#define varying out\n"
    assert same_version(old, "#version 430 core\nint f;") == old.replace("100\n", f"430 core\n{renamed}")
    assert same_version(old, "#version 120\nint f;") == old.replace("100", "120")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("int a;", 0),
        ("#version 330\nint a;", 1),
        ("// a\n#version 300 es\n\n# extension GL_EXT_b : enable\nint c;", 4),
        ("#version 300 es\n/*\n#extension GL_EXT_b : enable\n*/", 1),
    ],
)
def test_the_head_ends_with_the_last_version_or_extension(text: str, length: int) -> None:
    assert head_length(text) == length


@pytest.mark.parametrize(
    ("fragment", "head", "declared"),
    [
        ("in vec2 v_at;", "#version 330 core", "out vec2 v_at;"),
        ("// a\n#version 300 es\nin highp vec2 v_at;", "#version 300 es", "out highp vec2 v_at;"),
        ("#version 100\nvarying vec2 v_at;\n// varying vec2 v_b;", "#version 100", "varying vec2 v_at;"),
    ],
)
def test_the_default_vertex_shader_is_in_the_version_and_hands_over_what_is_asked(
    fragment: str, head: str, declared: str
) -> None:
    lines = default_vertex_shader(fragment).split("\n")
    assert lines[0] == head
    assert declared in lines
    assert not any("v_b" in line for line in lines)
