"""GLSL ES becomes desktop GLSL for a driver without it, with every line and column in its place."""

from __future__ import annotations

import re

import pytest

from texelscope.pipeline.device import ShaderVersions
from texelscope.pipeline.glsl.desktop import NoDesktopMeaningError, as_desktop, desktop_version
from texelscope.pipeline.glsl.handing_over import for_driver

MACOS = ShaderVersions(desktop=410, es=0)
OF_2010 = ShaderVersions(desktop=330, es=0)
WEBGL = """\
#version 300 es
#ifdef GL_ES
precision highp float;
precision mediump sampler2D; // Σ · ≤
#endif
uniform lowp sampler2D t_x;
out vec4 y; // at   ·   the end
void main() { y = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0); }
"""


def handed(text: str, versions: ShaderVersions = MACOS) -> str:
    return for_driver({"fragment": text}, versions)["fragment"]


def test_a_webgl_shader_becomes_3_30_with_lines_and_columns_in_their_places() -> None:
    lines = handed(WEBGL).split("\n")
    assert lines == [
        "#version 330 core",
        "#if 1       ",
        "precision highp float;",
        f"{' ' * 28} // ? ? ?",
        "#endif",
        "uniform      sampler2D t_x;",
        "out vec4 y; // at   ?   the end",
        "void main() { y = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0); }",
        "",
    ]


@pytest.mark.parametrize("versions", [ShaderVersions(450, 310), ShaderVersions(430, 300), ShaderVersions(0, 310)])
def test_a_driver_with_its_version_of_es_gets_the_author_s_text(versions: ShaderVersions) -> None:
    assert handed(WEBGL, versions) == WEBGL


QUESTION = str.maketrans("Σ·≤", "???")


@pytest.mark.parametrize("version", ["140", "150", "330 core", "410 core"])
def test_desktop_text_changes_in_letters_beyond_ascii_alone(version: str) -> None:
    text = f"#version {version}\n// Σ·≤\nvoid main() {{}}\n"
    assert handed(text) == text.translate(QUESTION)
    assert handed(text, ShaderVersions(420, 0)) == text


@pytest.mark.parametrize(
    ("condition", "same_on_desktop"),
    [
        ("#ifdef GL_ES", "#if 1"),
        ("#ifndef GL_ES", "#if 0"),
        ("# if defined(GL_ES) && __VERSION__ >= 300", "# if 1              && 300         >= 300"),
        ("#elif defined GL_ES", "#elif 1"),
        ("#if GL_FRAGMENT_PRECISION_HIGH", "#if 1"),
        ("#ifdef MINE", "#ifdef MINE"),
        ("#if defined(MINE)", "#if defined(MINE)"),
    ],
)
def test_a_condition_means_what_it_meant_on_es(condition: str, same_on_desktop: str) -> None:
    line = handed(f"#version 300 es\n{condition}\n#endif\n").split("\n")[1]
    assert line.rstrip() == same_on_desktop
    assert len(line) == max(len(condition), len(same_on_desktop))


def test_a_continued_macro_is_one_line_and_the_next_keeps_its_number() -> None:
    text = "#version 300 es\n#define TWO(x) \\\n  (2.0 * \\\n  (x))\nfloat after;\n"
    assert handed(text).split("\n") == [
        "#version 330 core",
        "#define TWO(x)   (2.0 *   (x))",
        "",
        "",
        "float after;",
        "",
    ]


OLD = """\
precision mediump float;
varying vec2 v_uv;
uniform sampler2D texture;
void main() { gl_FragColor = texture2D(texture, v_uv); }
"""


def test_old_words_are_replaced_where_they_stand_and_old_reads_are_functions() -> None:
    made = handed(f"#version 100\n{OLD}")
    head, own = made.split("#line 2\n")
    assert head.startswith("#version 330 core\nout vec4 es_FragColor;\nvec4 es_ture2D(sampler2D s, vec2 p) {")
    assert own.split("\n")[1:] == [
        "in      vec2 v_uv;",
        "uniform sampler2D texture;",
        "void main() { es_FragColor = es_ture2D(texture, v_uv); }",
        "",
    ]


def test_old_desktop_text_is_renewed_with_the_numbers_of_its_lines() -> None:
    """Before 3.30 the line behind `#line 4` is line 5."""
    made = handed(f"#version 120\n#line 1 0\n{OLD.split(chr(10), 1)[1]}")
    assert "#line 2 0\nin      vec2 v_uv;" in made


def test_extensions_of_es_that_the_desktop_has_built_in_are_blank_and_count_as_there() -> None:
    text = (
        "#version 100\n#extension GL_OES_standard_derivatives : require\n#ifdef GL_OES_standard_derivatives\n#endif\n"
    )
    assert [line.rstrip() for line in handed(text).split("\n")] == ["#version 330 core", "", "#if 1", "#endif", ""]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", 330),
        ("bitCount(1u)", 400),
        ("textureGather(t, p)", 400),
        ("int bitCount(uint x) { return 0; }", 330),
        ("// bitCount", 330),
        ("layout(location = 0) out vec4 y;", 330),
        ("layout(location = 0) in vec2 v;", 410),
        ("layout(binding = 1) uniform sampler2D t;", 330),
    ],
)
def test_the_lowest_version_that_has_what_a_text_needs_is_taken(words: str, wanted: int) -> None:
    assert desktop_version(f"#version 310 es\n{words}\n", "fragment", 410) == wanted


def test_bindings_and_locations_that_the_version_lacks_are_blank() -> None:
    text = "layout(std140, binding = 1) uniform B { vec4 b; };\nlayout(binding = 2) uniform sampler2D t;\n"
    made = as_desktop(f"#version 310 es\n{text}layout(location = 0) out vec4 y;", "fragment", 330).split("\n")[1:]
    assert made == [
        "layout(std140)              uniform B { vec4 b; };",
        "                    uniform sampler2D t;",
        "layout(location = 0) out vec4 y;",
    ]


@pytest.mark.parametrize(
    ("text", "versions", "line", "told"),
    [
        (
            "310 es\n\nlayout(rgba32f) writeonly uniform highp image2D i;", MACOS, 2,
            "'image2D', which needs OpenGL 4.2; this driver has OpenGL 4.1",
        ),
        ("310 es\nint a = bitCount(1u);", OF_2010, 1, "'bitCount', which needs OpenGL 4.0; this driver has OpenGL 3.3"),
        ("310 es\nbuffer B { float b[]; };", MACOS, 1, "'buffer', which needs OpenGL 4.3; this driver has OpenGL 4.1"),
        ("300 es\nuniform samplerExternalOES t;", MACOS, 1, "'samplerExternalOES', which desktop OpenGL has not"),
        (
            "300 es\n#extension GL_EXT_shader_framebuffer_fetch : require", MACOS, 1,
            "#extension GL_EXT_shader_framebuffer_fetch, which this driver has not (OpenGL 4.1, without OpenGL ES)",
        ),
    ],
)  # fmt: skip
def test_what_the_desktop_lacks_is_refused_by_name_and_line(
    text: str, versions: ShaderVersions, line: int, told: str
) -> None:
    with pytest.raises(NoDesktopMeaningError, match=re.escape(told)) as caught:
        handed(f"#version {text}\n", versions)
    assert (caught.value.line, caught.value.stage) == (line, "fragment")
    assert caught.value.do_next.endswith(".")


def test_both_stages_of_a_program_get_one_version() -> None:
    fragment = "#version 310 es\nint a = bitCount(1u);"
    made = for_driver({"vertex": "#version 310 es\nvoid main() {}", "fragment": fragment}, MACOS)
    assert {text.split("\n")[0] for text in made.values()} == {"#version 400 core"}


def test_desktop_text_becomes_es_with_full_precision_and_without_old_words() -> None:
    text = (
        "#version 330 core\nin vec2 v_uv;\nuniform sampler2D t;\nout vec4 y;\nvoid main() { y = texture2D(t, v_uv); }"
    )
    versions = ShaderVersions(0, 310, frozenset({"GL_OES_shader_io_blocks"}))
    head, own = for_driver({"fragment": text}, versions)["fragment"].split("#line 2\n")
    assert head.startswith("#version 310 es\n#extension GL_OES_shader_io_blocks : enable\nprecision highp float;\n")
    assert "precision highp sampler2D;" in head
    assert own.split("\n")[-1] == "void main() { y = es_ture2D(t, v_uv); }"
