"""Every line of a program is known by the file and number its author sees, whichever way one asks."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.lines import behind_head, line_directive, line_map, line_told, pieces
from texelscope.pipeline.plan import ProgramSource, SourceFile

FILES = (SourceFile(0, "a.frag", ""), SourceFile(1, "b.glsl", ""), SourceFile(2, "c.vert", ""))


def program(fragment: str, vertex: str | None = None) -> ProgramSource:
    return ProgramSource(fragment, FILES, vertex)


def test_text_is_generated_until_a_directive_names_a_file() -> None:
    text = "\n".join(["#version 330 core", line_directive(0, 7), "x", line_directive(1, 1), "y", "#line 5 9", "z"])
    assert line_map(program(text))[2:] == [
        ("a.frag", 7),
        ("a.frag", 8),
        ("b.glsl", 1),
        ("b.glsl", 2),
        ("generated", 5),
    ]
    assert line_map(program(text))[0] == ("generated", 1)


def test_a_program_that_is_its_one_file_has_that_file_s_lines() -> None:
    text = "#version 330 core\nint a;"
    assert line_map(ProgramSource(text, (SourceFile(1, "own.frag", text),))) == [("own.frag", 1), ("own.frag", 2)]


def test_a_directive_without_a_file_stays_in_the_one_it_is_in() -> None:
    assert line_map(program(f"{line_directive(1, 1)}\n#line 40\nx"))[-1] == ("b.glsl", 40)


def test_a_directive_in_a_comment_is_a_line_like_any_other() -> None:
    text = f"{line_directive(1, 1)}\n/*\n#line 40 0\n*/\nx"
    assert line_map(program(text))[-1] == ("b.glsl", 4)


@pytest.mark.parametrize(("version", "written"), [("330 core", 3), ("300 es", 3), ("150", 2)])
def test_a_directive_is_followed_as_its_version_counts(version: str, written: int) -> None:
    text = f"#version {version}\n{line_directive(1, written)}\nx"
    assert line_map(program(text))[-1] == ("b.glsl", 3)


def test_the_vertex_shader_has_lines_of_its_own() -> None:
    vertex = f"#version 330 core\n{line_directive(2, 2)}\nx\ny"
    assert line_map(program("#version 330 core", vertex), of_vertex=True)[-1] == ("c.vert", 3)


@pytest.mark.parametrize(
    ("number", "source_string", "line"),
    [
        (12, 0, ("a.frag", 12)),
        (100_012, 1, ("b.glsl", 12)),
        (100_012, 0, ("b.glsl", 12)),  # Mesa, which forgets the source-string
        (12, 1, ("b.glsl", 12)),
        (12, 9, ("generated", 12)),
    ],
)
def test_a_driver_s_line_is_that_of_the_file_it_is_numbered_after(
    number: int, source_string: int, line: tuple[str, int]
) -> None:
    assert line_told(program(""), number, source_string) == line


def test_a_program_comes_apart_at_its_directives() -> None:
    text = "\n".join(["head", line_directive(2, 1), "two", "more", line_directive(1, 1), "/*", "#line 9 9", "*/"])
    assert pieces(text) == [(0, "head\n"), (2, "two\nmore\n"), (1, "/*\n#line 9 9\n*/\n")]


def test_what_is_put_behind_the_head_leaves_lines_their_numbers() -> None:
    text = "#version 330 core\n#extension GL_X : enable\nint a;\nint b;"
    made = behind_head(text, "float one;\nfloat two;", "float three;")
    assert made.split("\n") == [
        "#version 330 core",
        "#extension GL_X : enable",
        "float one;",
        "float two;",
        "float three;",
        "#line 3 0",
        "int a;",
        "int b;",
    ]
    assert [line_map(program(each))[-1][1] for each in (text, made)] == [4, 4]


def test_so_it_does_where_directives_count_from_themselves() -> None:
    text = "#version 150\nint a;"
    assert behind_head(text, "float one;") == "#version 150\nfloat one;\n#line 1 0\nint a;"
    assert line_map(program(behind_head(text, "float one;")))[-1][1] == 2
