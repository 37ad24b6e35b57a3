"""Edits of a program are lines of its author's files, and a diff of them that `patch` and `git` take."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, unified_files
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.text.patch import applied, line_edits

MAIN = "#version 330\nout vec4 y;\nvoid main() {\n    y = vec4(one());\n}"
INCLUDED = "float one() {\n    return 2.0;\n}\n"
TEXT = f"#version 330\n{line_directive(2, 1)}\n{INCLUDED}{line_directive(1, 2)}\n{MAIN.partition(chr(10))[2]}\n// end\n"
PROGRAM = ProgramSource(TEXT, (SourceFile(1, "shaders/a.frag", MAIN), SourceFile(2, "shaders/one.glsl", INCLUDED)))


def diff(program: ProgramSource, edits: Sequence[LineEdit]) -> str | None:
    return unified_files(edits, {file.path: file.text for file in program.files}.get)


@pytest.mark.parametrize("tool", [["patch", "-p1", "-s"], ["git", "apply", "-"]], ids=lambda tool: tool[0])
def test_the_diff_makes_of_the_files_what_was_tried(tmp_path: Path, tool: list[str]) -> None:
    edits = line_edits(PROGRAM, TEXT.replace("2.0;", "1.0;").replace("vec4(one())", "vec4(one(), 0, 0, 1)"))
    assert edits == (
        LineEdit("shaders/a.frag", 4, "    y = vec4(one());", "    y = vec4(one(), 0, 0, 1);"),
        LineEdit("shaders/one.glsl", 2, "    return 2.0;", "    return 1.0;"),
    )
    for file in PROGRAM.files:
        (tmp_path / file.path).parent.mkdir(exist_ok=True)
        (tmp_path / file.path).write_text(file.text)
    subprocess.run(tool, input=diff(PROGRAM, edits), text=True, cwd=tmp_path, check=True, timeout=20)
    assert (tmp_path / "shaders/one.glsl").read_text() == INCLUDED.replace("2.0", "1.0")
    assert (tmp_path / "shaders/a.frag").read_text() == MAIN.replace("one()", "one(), 0, 0, 1")
    assert "return 1.0;" in applied(PROGRAM, edits).fragment


def test_a_line_may_go_at_a_file_s_end(tmp_path: Path) -> None:
    program = ProgramSource(MAIN, (SourceFile(1, "a.frag", MAIN),))
    edits = line_edits(program, MAIN.replace("    y = vec4(one());\n", ""))
    assert edits == (LineEdit("a.frag", 4, "    y = vec4(one());", None),)
    (tmp_path / "a.frag").write_text(MAIN)
    subprocess.run(["patch", "-p1", "-s"], input=diff(program, edits), text=True, cwd=tmp_path, check=True, timeout=20)
    assert (tmp_path / "a.frag").read_text() == MAIN.replace("    y = vec4(one());\n", "")


def test_lines_that_change_places_are_each_written_otherwise() -> None:
    source = "void main() {\n    n += 1;\n    if (n > 2) {\n        return;\n    }\n}\n"
    new = "void main() {\n    if (n > 2) {\n        return;\n    }\n    n += 1;\n}\n"
    program = ProgramSource(source, (SourceFile(1, "a.frag", source),))
    edits = line_edits(program, new)
    assert edits is not None
    assert applied(program, edits).fragment == new


def test_generated_and_supplied_lines_are_nobody_s_to_edit() -> None:
    assert line_edits(PROGRAM, TEXT.replace("// end", "// begin")) is None
    supplied = ProgramSource(MAIN, (SourceFile(1, "a.frag", MAIN),), supplied_lines=4)
    assert line_edits(supplied, MAIN.replace("one()", "1.0")) is None


def test_an_edit_of_translated_text_is_one_of_the_translation() -> None:
    file = SourceFile(0, "net.hlsl", "float f(float v)\n{\n    return rcp(exp(v)); // v\n}\n")
    text = "#version 430 core\n#line 1 0\nfloat f(float v) {\n#line 3 0\n    return 1.0 / exp(v);\n#line 4 0\n}\n"
    found = line_edits(ProgramSource(text, (file,)), text.replace("exp(v)", "exp(-v)"))
    assert found == (LineEdit("net.hlsl", 3, "    return 1.0 / exp(v);", "    return 1.0 / exp(-v);"),)
