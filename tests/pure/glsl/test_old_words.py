"""Old words become new ones at hand-over where a version has them no more, with columns in their places."""

from __future__ import annotations

import pytest

from texelscope.pipeline.device import ShaderVersions
from texelscope.pipeline.glsl.handing_over import for_driver

MESA = ShaderVersions(450, 320)
STRICT = ShaderVersions(410, 0)
OLD = "uniform sampler2D t;\nvarying vec2 uv;\nvoid main() { gl_FragColor = texture2D(t, uv); }\n"


def handed(text: str, versions: ShaderVersions = MESA) -> list[str]:
    return for_driver({"fragment": text}, versions)["fragment"].split("\n")


@pytest.mark.parametrize("version", ["110", "330 core", "410"])
def test_a_driver_that_has_the_old_words_gets_the_author_s_text(version: str) -> None:
    assert handed(f"#version {version}\n{OLD}") == f"#version {version}\n{OLD}".split("\n")


@pytest.mark.parametrize(
    ("version", "versions", "wanted"),
    [
        ("450", MESA, "450 core"), ("460", MESA, "450 core"), ("430", MESA, "430 core"),
        ("330 core", STRICT, "330 core"), ("150", STRICT, "330 core"), ("110", STRICT, "330 core"),
    ],
)  # fmt: skip
def test_a_version_without_the_old_words_gets_new_ones_of_their_length(
    version: str, versions: ShaderVersions, wanted: str
) -> None:
    lines = handed(f"#version {version}\n{OLD}", versions)
    assert lines[0] == f"#version {wanted}"
    assert "out vec4 es_FragColor;" in lines
    assert lines[-3:] == ["in      vec2 uv;", "void main() { es_FragColor = es_ture2D(t, uv); }", ""]


def test_old_words_in_es_3_become_the_new_ones() -> None:
    lines = handed(f"#version 300 es\n{OLD}")
    assert lines == [
        "#version 300 es", "out highp vec4 es_FragColor;", "#line 2 0", "uniform sampler2D t;", "in      vec2 uv;",
        "void main() { es_FragColor = texture  (t, uv); }", "",
    ]  # fmt: skip


def test_a_variable_called_texture_leaves_the_old_read_a_function() -> None:
    text = OLD.replace("D t", "D texture").replace("(t", "(texture")
    lines = handed(f"#version 300 es\n{text}")
    assert "highp vec4 es_ture2D(highp sampler2D s, highp vec2 p) { return texture(s, p); }" in lines
    assert lines[-2] == "void main() { es_FragColor = es_ture2D(texture, uv); }"


def test_a_text_that_defines_the_old_words_itself_is_left_alone() -> None:
    text = "#version 450\n#define varying in\nvarying vec2 uv;\nout vec4 c;\nvoid main() { c = vec4(uv, 0, 1); }\n"
    assert handed(text) == text.split("\n")


@pytest.mark.parametrize(
    ("version", "wanted"), [("460", "450 core"), ("330 compatibility", "330 core"), ("777", "777"), ("440", "440")]
)
def test_a_version_or_profile_beyond_the_driver_becomes_one_that_it_has(version: str, wanted: str) -> None:
    assert handed(f"#version {version}\nvoid main() {{}}\n")[0] == f"#version {wanted}"


def test_a_lowered_version_gets_no_bindings_that_it_does_not_know() -> None:
    text = "#version 450\nlayout(binding = 0, std140) uniform A { vec4 a; };\nlayout(location = 0) in vec2 uv;\n"
    lines = handed(text, ShaderVersions(330, 0))
    assert lines[1:] == [
        "layout( std140)             uniform A { vec4 a; };", "                     in vec2 uv;", "",
    ]  # fmt: skip


def test_a_name_that_became_a_reserved_word_gets_another_of_its_length() -> None:
    text = "#version 300 es\nprecision highp float;\nfloat of(float filter) { return filter; }\n"
    lines = handed(f"{text}void main() {{ gl_FragColor = vec4(of(1.0)); }}\n")
    assert "float of(float filte_) { return filte_; }" in lines


def test_a_uniform_keeps_its_name() -> None:
    text = "#version 300 es\nprecision highp float;\nuniform float filter;\n"
    assert "uniform float filter;" in handed(f"{text}void main() {{ gl_FragColor = vec4(filter); }}\n")


def test_a_word_that_has_a_meaning_now_stays() -> None:
    text = "#version 320 es\nprecision highp float;\nlayout(location = 0) out vec4 result;\n"
    assert "layout(location = 0) out vec4 result;" in handed(
        f"{text}uniform sampler2D t;\nvoid main() {{ texture2D(t, vec2(0)); }}\n"
    )
