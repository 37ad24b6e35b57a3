"""A person's shader on its way to GL: unchanged but for includes and defines, every line findable."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.pipeline_file.declarations import lowp_samplers, uniforms_of
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.includes import define_lines, program_source
from texelscope.pipeline.plan import ProgramSource, Refusal
from texelscope.pipeline.quotas import Quotas, present


def source(folder: Path, text: str, **defines: str | float | bool) -> str:
    (folder / "a.frag").write_text(text, encoding="utf-8")
    return program_source(Folder(folder), "a.frag", None, defines).fragment


def test_nothing_but_a_line_directive_is_added(tmp_path: Path) -> None:
    text = "#version 300 es\nprecision highp float;\n\nvoid main() {}  // ünïcode\n"
    assert source(tmp_path, text) == text.replace("300 es\n", "300 es\n#line 2 0\n")


def test_defines_follow_the_version_and_leave_line_numbers_alone(tmp_path: Path) -> None:
    text = source(tmp_path, "// mine\n#version 330 core\nint one;\n", KERNEL=4, SCALE=0.5, RELU=True, SIGMOID=False)
    assert text.splitlines()[1:] == [
        "#version 330 core",
        "#define KERNEL 4",
        "#define SCALE 0.5",
        "#define RELU 1",
        "#line 3 0",
        "int one;",
    ]


def test_a_define_may_be_any_text() -> None:
    assert define_lines({"READ": "texelFetch(t_X, p, 0).r"}) == ["#define READ texelFetch(t_X, p, 0).r"]


@pytest.mark.parametrize(
    ("version", "line"), [("330 core", 2), ("300 es", 2), ("100", 2), ("430", 2), ("150", 1), ("120", 1)]
)
def test_line_directives_count_as_the_version_does(tmp_path: Path, version: str, line: int) -> None:
    assert f"#version {version}\n#line {line} 0\n" in source(tmp_path, f"#version {version}\nvoid main() {{}}\n")


def test_an_included_file_stands_in_place_under_its_own_numbers(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "f.glsl").write_text('float f;\n#include "g.glsl"\n', encoding="utf-8")
    (tmp_path / "lib" / "g.glsl").write_text("float g;\n", encoding="utf-8")
    (tmp_path / "a.frag").write_text('#version 330 core\n#include "lib/f.glsl"\nfloat a;\n', encoding="utf-8")
    program = program_source(Folder(tmp_path), "a.frag", None, {})
    assert [(file.number, file.path) for file in program.files] == [(0, "a.frag"), (1, "lib/f.glsl"), (2, "lib/g.glsl")]
    lines = zip(program.fragment.split("\n"), line_map(program), strict=True)
    places = {line: place for line, place in lines if line.startswith("float")}
    assert places == {"float f;": ("lib/f.glsl", 1), "float g;": ("lib/g.glsl", 1), "float a;": ("a.frag", 3)}


def test_an_include_in_a_comment_is_none(tmp_path: Path) -> None:
    text = '#version 330 core\n/*\n#include "gone.glsl"\n*/\n// #include "gone.glsl"\n'
    assert '#include "gone.glsl"' in source(tmp_path, text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('#include "gone.glsl"', "'a.frag' line 2: expected an #include of a file, got 'gone.glsl', none of that name"),
        ('#include "../x.glsl"', "got '../x.glsl', one that leads out of it"),
        ("#include <x.glsl>", "'a.frag' line 2: expected #include \"file\", got #include <x.glsl>"),
        ('#include "a.frag"', "expected an #include that ends, got a.frag → a.frag"),
        ('#include "v.glsl"', "expected an included file without #version, got 'v.glsl' with one"),
    ],
)
def test_an_include_that_cannot_be_followed_is_named_by_its_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "v.glsl").write_text("#version 330 core\n", encoding="utf-8")
    with pytest.raises(TexelscopeError, match=message):
        source(tmp_path, f"#version 330 core\n{line}\n")


@pytest.mark.parametrize(
    "text",
    [
        "precision highp float;\nvarying vec2 v_uv;\nvoid main() { gl_FragColor = vec4(v_uv, 0.0, 1.0); }\n",
        "// by hand\n\nuniform highp sampler2D u_x;\nvoid main() { gl_FragData[0] = texture2D(u_x, vec2(0.5)); }\n",
        "#extension GL_OES_standard_derivatives : enable\nvarying highp vec2 at;\nvoid main() {}  // texelFetch\n",
    ],
)
def test_a_text_of_webgl_1_without_version_is_taken_as_es_100_with_its_own_lines(tmp_path: Path, text: str) -> None:
    got = source(tmp_path, text, KERNEL=3)
    assert got == f"#version 100\n#define KERNEL 3\n#line 1 0\n{text}"
    program = program_source(Folder(tmp_path), "a.frag", None, {"KERNEL": 3})
    assert line_map(program)[3] == ("a.frag", 1)


def test_a_version_behind_code_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match="expected #version on its first line"):
        source(tmp_path, "int one;\n#version 330 core\n")


def test_a_shader_too_large_for_any_driver_fails_by_itself(tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text("#version 330 core\n" + "/" * (present().shader_bytes + 1), encoding="utf-8")
    program = program_source(Folder(tmp_path), "a.frag", None, {})
    reason = f"{present().shader_bytes + 19} bytes of source, more than {present().shader_bytes}"
    assert program.refused == Refusal("a.frag", reason)
    assert program.fragment == ""


def test_so_does_one_with_an_include_that_is_too_large_and_says_which(tmp_path: Path) -> None:
    (tmp_path / "large.glsl").write_text("/" * (present().shader_bytes + 1), encoding="utf-8")
    (tmp_path / "a.frag").write_text('#version 330 core\n#include "large.glsl"\n', encoding="utf-8")
    program = program_source(Folder(tmp_path), "a.frag", None, {})
    reason = f"{present().shader_bytes + 1} bytes of source, more than {present().shader_bytes}"
    assert program.refused == Refusal("large.glsl", reason)
    assert [(file.number, file.path, len(file.text)) for file in program.files][1] == (1, "large.glsl", 0)


def test_so_does_one_that_grows_by_its_includes(tmp_path: Path) -> None:
    """Each file includes the next one twice: a few lines become a million."""
    for number in range(14):
        line = f'#include "{number + 1}.glsl"\n'
        (tmp_path / f"{number}.glsl").write_text(f"// {'x' * 400}\n{line}{line}", encoding="utf-8")
    (tmp_path / "14.glsl").write_text("float leaf;\n", encoding="utf-8")
    (tmp_path / "a.frag").write_text('#version 330 core\n#include "0.glsl"\n', encoding="utf-8")
    refused = program_source(Folder(tmp_path), "a.frag", None, {}).refused
    assert refused is not None
    assert refused.file == "a.frag"
    reason = rf"\d+ bytes of source with what it includes, more than {present().shader_bytes}"
    assert re.fullmatch(reason, refused.reason)


def test_a_vertex_shader_that_is_too_large_leaves_the_fragment_shader_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text("#version 330 core\n", encoding="utf-8")
    (tmp_path / "v.vert").write_text("#version 330 core\n" + "/" * present().shader_bytes, encoding="utf-8")
    program = program_source(Folder(tmp_path), "a.frag", "v.vert", {})
    assert program.refused == Refusal(
        "v.vert", f"{present().shader_bytes + 18} bytes of source, more than {present().shader_bytes}"
    )
    assert program.fragment.startswith("#version 330 core\n")
    assert program.vertex == ""
    assert [file.path for file in program.files] == ["a.frag", "v.vert"]


def test_another_fragment_shader_mends_a_program_unless_its_vertex_shader_was_refused() -> None:
    reason = Refusal("a.frag", "3 bytes of source, more than 2")
    assert ProgramSource("", (), None, reason).with_fragment("mended").refused is None
    assert ProgramSource("", (), "vertex", reason).with_fragment("mended").refused is None
    assert ProgramSource("fragment", (), "", reason).with_fragment("mended").refused == reason


@pytest.mark.parametrize(
    "part", ["uniform ", "uniform  highp ", "layout (location=0) ", "uniform float u;\n", "/*", "// x\n", "highp "]
)
def test_a_text_of_nothing_but_beginnings_is_read_in_a_time_that_grows_as_it_does(tmp_path: Path, part: str) -> None:
    start = time.process_time()
    text = source(tmp_path, "#version 330 core\n" + part * ((present().shader_bytes - 100) // len(part)))
    uniforms_of(text)
    lowp_samplers(text)
    assert time.process_time() - start < 30.0  # what looks at each beginning again and again takes minutes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/etc/passwd", "expected a path relative to the pipeline file"),
        ("C:/a.frag", "expected a path relative"),
        ("a\\b.frag", "expected a path relative"),
        ("../a.frag", "expected a path inside the pipeline's folder"),
        ("link.frag", "expected a path inside the pipeline's folder"),
        ("b.frag", "Did you mean 'ab.frag'"),
        ("none/b.frag", "Check the path"),
        ("", "expected a file"),
    ],
)
def test_a_path_stays_inside_the_folder(tmp_path: Path, name: str, message: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "a.frag").write_text("secret", encoding="utf-8")
    (inside / "ab.frag").write_text("", encoding="utf-8")
    (inside / "link.frag").symlink_to(tmp_path / "a.frag")
    with pytest.raises(TexelscopeError, match=message):
        Folder(inside).file(name)


def test_a_text_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "large.glsl").write_bytes(b" " * (Quotas().text_bytes + 1))
    (tmp_path / "bytes.glsl").write_bytes(b"ab\xff")
    with pytest.raises(TexelscopeError, match="expected at most 4,194,304 text bytes"):
        Folder(tmp_path).text(tmp_path / "large.glsl")
    with pytest.raises(TexelscopeError, match="expected UTF-8 text, got byte 2 is not"):
        Folder(tmp_path).text(tmp_path / "bytes.glsl")


def test_uniforms_are_read_with_type_length_and_line() -> None:
    found = uniforms_of(
        "#version 300 es\nuniform highp vec2 u_a, u_b[3];\n// uniform int u_no;\n"
        "layout(location = 2) uniform lowp sampler2D t_X;\nuniform mat3x2 u_m; uniform float u_w[N];\n"
        "uniform Block { vec4 inner; };\nvoid main() { u_a; u_a; }\n"
    )
    assert {name: (u.type, u.array_count, u.line, u.mentions) for name, u in found.items()} == {
        "u_a": ("vec2", 1, 2, 3),
        "u_b": ("vec2", 3, 2, 1),
        "t_X": ("sampler2D", 1, 4, 1),
        "u_m": ("mat3x2", 1, 5, 1),
        "u_w": ("float", None, 5, 1),
    }
    assert found["u_m"].component_count == 6
    assert found["t_X"].is_sampler


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#version 300 es\nuniform sampler2D t_X;", ["t_X"]),
        ("#version 100\nuniform sampler2D t_X;", ["t_X"]),
        ("#version 300 es\nuniform highp sampler2D t_X;", []),
        ("#version 300 es\nprecision highp sampler2D;\nuniform sampler2D t_X;", []),
        ("#version 300 es\n// precision highp sampler2D;\nuniform sampler2D t_X;", ["t_X"]),
        ("#version 330 core\nuniform sampler2D t_X;", []),
    ],
)
def test_a_sampler_of_es_without_precision_is_known_as_lowp(text: str, names: list[str]) -> None:
    assert [uniform.name for uniform in lowp_samplers(text)] == names
