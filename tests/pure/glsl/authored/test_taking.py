"""An author's text is recognised, and what is added or replaced leaves every line and column in its place."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.authored.refused import AuthorTextError, check_suffix
from texelscope.pipeline.glsl.authored.taking import taken
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.plan import ProgramSource, SourceFile

PRECISE = "precision highp float;\n"
BODY = "void main() {}\n"


@pytest.mark.parametrize(
    ("text", "stage", "kind", "directive"),
    [
        (f"{PRECISE}varying vec2 uv;\n{BODY}", "fragment", "webgl1", "#version 100"),
        ("attribute vec2 at;\nvoid main() { gl_Position = vec4(at, 0, 1); }\n", "vertex", "webgl1", "#version 100"),
        (f"{PRECISE}in vec2 uv;\nout vec4 color;\n{BODY}", "fragment", "webgl2", "#version 300 es"),
        (f"{PRECISE}// gl_FragColor\nout vec4 color;\n{BODY}", "fragment", "webgl2", "#version 300 es"),
        (f"{PRECISE}varying vec2 uv;\nuniform isampler2D t;\n{BODY}", "fragment", "three.js", "#version 300 es"),
        (f"layout(local_size_x = 8) in;\n{BODY}", "compute", "desktop", "#version 430 core"),
        (f"uniform sampler2D t;\nvec4 x = textureGather(t, p);\n{BODY}", "fragment", "desktop", "#version 400 core"),
        (f"layout(set = 0, binding = 1) uniform sampler2D t;\n{BODY}", "fragment", "vulkan", "#version 450 core"),
        (f"#define texture texture2D\n{PRECISE}vec4 x = texture(t, p);\n{BODY}", "fragment", "webgl1", "#version 100"),
        (f"// mine\n\n#version 330\n{BODY}", "fragment", "plain", "// mine"),
        ("void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 0, 1); }\n", "fragment", "shadertoy", "#version 300 es"),
    ],
)
def test_a_text_is_of_the_kind_and_version_that_its_words_say(
    text: str, stage: Stage, kind: str, directive: str
) -> None:
    made = taken(text, stage)
    assert (made.kind, made.text.split("\n")[0]) == (kind, directive)


def test_both_stages_of_a_program_have_the_version_of_their_words_together() -> None:
    vertex = "attribute vec2 at;\nvarying vec2 uv;\nvoid main() { uv = at; gl_Position = vec4(at, 0, 1); }\n"
    fragment = f"{PRECISE}varying vec2 uv;\nvoid main() {{ gl_FragColor = texelFetch(t, ivec2(uv), 0); }}\n"
    assert taken(vertex, "vertex", beside=fragment).text.startswith("#version 300 es\n")
    assert taken(fragment, "fragment", beside=vertex).text.startswith("#version 300 es\n")
    assert taken(vertex, "vertex").text.startswith("#version 100\n")


def test_a_missing_precision_is_highp_with_a_warning() -> None:
    made = taken("#extension GL_OES_standard_derivatives : enable\nvarying vec2 uv;\nvoid main() {}\n", "fragment")
    assert made.text.split("\n")[:7] == [
        "#version 100", "#line 1 0", "#extension GL_OES_standard_derivatives : enable", "precision highp float;",
        "precision highp int;", "precision highp sampler2D;", "#line 2 0",
    ]  # fmt: skip
    assert made.warnings == (
        "no precision is declared, which a browser refuses; highp is assumed, as three.js and others put in front. "
        "Add 'precision highp float;'.",
    )


def test_declarations_stand_behind_the_whole_condition_around_an_extension() -> None:
    made = taken("#ifdef X\n#extension GL_Y : enable\n#endif\nvarying vec2 uv;\nvoid main() {}\n", "fragment")
    lines = made.text.split("\n")
    assert lines.index("#endif") < lines.index("precision highp float;") < lines.index("varying vec2 uv;")
    assert lines[lines.index("varying vec2 uv;") - 1] == "#line 4 0"


@pytest.mark.parametrize("text", ["varying highp vec2 uv;\nvoid main() {}\n", f"{PRECISE}varying vec2 uv;\n{BODY}"])
def test_a_text_that_says_every_precision_gets_none(text: str) -> None:
    made = taken(text, "fragment")
    assert made.text == f"#version 100\n#line 1 0\n{text}"
    assert made.warnings == ()


GODOT = "note\n#[vertex]\n#version 450\nvoid main() {}\n#[fragment]\n#version 450\nout vec4 c;\nvoid main() {}\n"


@pytest.mark.parametrize(("stage", "kept"), [("vertex", {3: "#version 450"}), ("fragment", {7: "out vec4 c;"})])
def test_a_section_of_godot_keeps_its_lines(stage: Stage, kept: dict[int, str]) -> None:
    made = taken(GODOT, stage)
    program = ProgramSource(made.text, (SourceFile(0, "a.glsl", GODOT),))
    places = dict(zip(line_map(program), made.text.split("\n"), strict=True))
    assert all(places.get(("a.glsl", line), places.get((GENERATED, line))) == text for line, text in kept.items())
    assert made.kind == "godot"
    assert made.text.count("void main") == 1


TOY = """// by hand
#iChannel0 "file://a.png"
uniform float iTime;
void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy) + iTime + iMouse; }"""


def test_shadertoy_declares_what_is_used_and_calls_the_author_s_function_behind_the_text() -> None:
    made = taken(TOY, "fragment")
    assert [(each.name, each.type) for each in made.supplied] == [
        ("iResolution", "vec3"), ("iMouse", "vec4"), ("iChannel0", "sampler2D"),
    ]  # fmt: skip
    program = ProgramSource(made.text, (SourceFile(0, "toy.frag", TOY),))
    places = dict(zip(line_map(program), made.text.split("\n"), strict=True))
    assert places["toy.frag", 4] == TOY.split("\n")[3]
    assert places["toy.frag", 2] == ""
    main = [
        place for place, line in zip(line_map(program), made.text.split("\n"), strict=True) if "void main()" in line
    ]
    assert [file for file, _ in main] == [GENERATED]
    assert "    mainImage(shadertoy_color, gl_FragCoord.xy);" in made.text


def test_a_channel_that_is_read_at_three_coordinates_has_slices() -> None:
    text = "void mainImage(out vec4 c, vec2 p) { c = texelFetch(iChannel1, ivec3(p, 0), 0); }"
    assert [each.type for each in taken(text, "fragment").supplied] == ["sampler3D"]


SEPARATE = """#version 450
layout(set = 0, binding = 0) uniform texture2D t;
layout(set = 0, binding = 1) uniform sampler s;
void main() { c = texture(sampler2D(t, s), uv) + gl_VertexIndex; }
"""


def test_a_separate_texture_becomes_a_sampler_of_its_name_with_columns_kept() -> None:
    made = taken(SEPARATE, "fragment")
    assert made.is_vulkan
    assert made.text.split("\n")[2:5] == [
        "layout(set = 0, binding = 0) uniform sampler2D t;",
        " " * len(SEPARATE.split("\n")[2]),
        "void main() { c = texture(          t    , uv) + gl_VertexID   ; }",
    ]


def test_a_word_of_memory_behind_buffer_moves_in_front() -> None:
    text = "#version 430\nlayout(binding = 0) buffer readonly X { float x[]; };\nvoid main() {}\n"
    assert "layout(binding = 0) readonly buffer X { float x[]; };" in taken(text, "compute").text


@pytest.mark.parametrize(
    ("text", "stage", "row", "message"),
    [
        ("#version 450\nvoid main() { EmitVertex(); }", "fragment", 1, "got a geometry shader. A pass has"),
        ("#version 450\nvoid main() { gl_TessCoord; }", "vertex", 1, "got a tessellation shader"),
        ("#[raygen]\n#version 460\nvoid main() {}", "fragment", 0, r"a section #\[fragment\], got #\[raygen\]"),
        ("void main() { gl_FragColor = vec4(gl_PointCoord, 0, 1); }", "fragment", 0, "got gl_PointCoord, which only"),
        ("#version 450\nuniform subpassInput a;\nvoid main() {}", "fragment", 1, "got a subpass input of Vulkan"),
        ("void main() { gl_FragColor = gl_TexCoord[0]; }", "fragment", 0, "fixed pipeline. Declare a `varying vec2`"),
        ("shader_type canvas_item;\n", "fragment", 0, "got Godot's shading language"),
        ("cbuffer A { float4 x; };\n", "fragment", 0, "got HLSL. Name the file .hlsl, and it is translated."),
        ("@fragment fn main() {}\n", "fragment", 0, "got WGSL. Name the file .wgsl, and it is translated."),
        ("\nvec2 mainSound(int s, float t) { return vec2(0.0); }", "fragment", 1, "got mainSound alone. Add mainImage"),
        (
            "#version 450\nuniform texture2D t; uniform samplerShadow s;\nvoid main() {}", "fragment", 1,
            "got samplerShadow, which compares depths",
        ),
        ("int one;\n#version 330\n", "fragment", 0, "expected #version on its first line, got none there"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_in_a_pass_is_refused_by_its_name(text: str, stage: Stage, row: int, message: str) -> None:
    with pytest.raises(AuthorTextError, match=message) as caught:
        taken(text, stage)
    assert caught.value.row == row


def test_what_no_compiler_reads_is_not_refused() -> None:
    text = "#version 330\n#define POINTS gl_PointCoord\n#if 0\nEmitVertex();\n#endif\nvoid main() {}  // gl_TexCoord\n"
    assert taken(text, "fragment").kind == "plain"


@pytest.mark.parametrize(("name", "what"), [("a.geom", "a geometry shader"), ("b.metal", "Metal's shading language")])
def test_a_file_of_another_stage_or_language_is_refused_by_its_suffix(name: str, what: str) -> None:
    with pytest.raises(Exception, match=f"'{name}': expected a fragment shader in GLSL, got {what}"):
        check_suffix(name, "fragment")


def test_a_file_that_may_be_glsl_by_its_suffix_is_not_refused() -> None:
    check_suffix("bloom.fx", "fragment")


def test_three_js_declares_what_a_vertex_shader_uses_and_does_not_declare() -> None:
    text = "attribute vec2 uv;\nvarying vec2 at;\n"
    text += "void main() { at = uv; gl_Position = modelViewMatrix * vec4(position, 1.0); }\n"
    made = taken(text, "vertex")
    assert made.text.split("\n")[:4] == [
        "#version 100", "uniform highp mat4 modelViewMatrix;", "attribute highp vec3 position;", "#line 1 0",
    ]  # fmt: skip
    assert [each.name for each in made.supplied] == ["modelViewMatrix"]


def test_samplers_without_a_precision_are_highp_with_a_warning() -> None:
    own = taken("precision highp float;\nuniform sampler2D t;\nvarying vec2 uv;\nvoid main() {}\n", "fragment")
    assert own.text.split("\n")[:3] == ["#version 100", "precision highp sampler2D;", "#line 1 0"]
    assert own.warnings == (
        "its samplers have no precision; highp is assumed, as browsers on desktops read them, while a phone may "
        "round. Add 'precision highp sampler2D;'.",
    )


def test_samplers_that_say_their_precision_keep_it() -> None:
    for declared in ("uniform mediump sampler2D t;", "precision lowp sampler2D;\nuniform sampler2D t;"):
        own = taken(f"precision highp float;\n{declared}\nvarying vec2 uv;\nvoid main() {{}}\n", "fragment")
        assert "highp sampler2D" not in own.text
        assert own.warnings == ()


def test_a_version_from_outside_is_that_of_a_text_without_one_alone() -> None:
    old = "precision highp float;\nvarying vec2 uv;\nvoid main() { gl_FragColor = vec4(uv, uv); }\n"
    assert taken(old, "fragment", version="300 es").text.startswith("#version 300 es\n")
    assert taken(f"#version 100\n{old}", "fragment", version="300 es").text.startswith("#version 100\n")
