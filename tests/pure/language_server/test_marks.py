"""Errors become marks on the lines that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from texelscope.language_server.marks import EditorMark, each_once, fixes_of, marks_of_error
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.pipeline_file.table import PipelineFileError, Problem

TARGET = Path("/shaders/pipeline.toml")
TEXTS = {
    TARGET: '[pipeline]\nmodel = "m.onnx"\n\n[[pass]]\nname = "a"\nshader = "a.frag"\ntextures.u_x = "image"\n',
    Path("/shaders/a.frag"): "#version 330\nuniform float u;\nvoid main() { }\n",
}


def marks(error: TexelscopeError) -> Sequence[tuple[str, int]]:
    return [(each.path.name, each.line) for each in marks_of_error(error, TARGET, TEXTS.get)]


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (ShaderError("a.frag", 3, "syntax error"), ("a.frag", 3)),
        (ShaderError("a.frag", 0, "no main"), ("a.frag", 1)),
        (ShaderError("built_in/conv.glsl", 7, "syntax error"), ("pipeline.toml", 1)),
        (TexelscopeError("pipeline.toml", "TOML", "'Expected ]] (at line 4, column 8)'", ""), ("pipeline.toml", 4)),
        (TexelscopeError("'a.frag' line 2", "an #include that ends", "x", ""), ("a.frag", 2)),
        (TexelscopeError("'none.frag' line 2", "a file", "none", ""), ("pipeline.toml", 1)),
        (TexelscopeError("memory", "less", "more", ""), ("pipeline.toml", 1)),
    ],
    ids=str,
)
def test_an_error_is_marked_where_it_is(error: TexelscopeError, place: tuple[str, int]) -> None:
    assert marks(error) == [place]


@pytest.mark.parametrize(
    ("table", "key", "got", "place"),
    [
        ("[[pass]] 'a'", "textures.u_x", "none", ("pipeline.toml", 7)),
        ("[[pass]] 'a'", "textures.u_x.layout", "none", ("pipeline.toml", 7)),
        ("[[pass]] 'a'", "shader", "none", ("pipeline.toml", 5)),
        ("[[pass]] 'a'", "shader", "'a.frag' line 2, expected", ("a.frag", 2)),
        ("[pipeline]", "model", "none", ("pipeline.toml", 1)),
    ],
)
def test_a_problem_of_the_pipeline_file_is_marked_on_its_key(
    table: str, key: str, got: str, place: tuple[str, int]
) -> None:
    assert marks(PipelineFileError((Problem("pipeline.toml", table, key, "a value", got, "Add it."),))) == [place]


def repair(line: int, before: str | None, after: str | None) -> Repair:
    return Repair((LineEdit("a.frag", line, before, after),), "", 4, 1)


def test_a_repair_is_offered_as_long_as_its_line_is_the_same() -> None:
    mark = EditorMark(Path("/shaders/a.frag"), 2, "wrong", repairs=(repair(2, "uniform float u;", "uniform vec2 u;"),))
    (fix,) = fixes_of(mark, TARGET.parent, TEXTS.get)
    assert fix.title == "`float` -> `vec2`: all 4 elements match, on this input alone"
    ((path, change),) = fix.changes
    assert (path, change.start, change.stop, change.text) == (mark.path, (2, 1), (2, 17), "uniform vec2 u;")
    assert fixes_of(mark, TARGET.parent, lambda _: "another\ntext\n") == []


def test_what_two_targets_say_alike_is_said_once() -> None:
    mark = EditorMark(TARGET, 1, "wrong")
    assert each_once([mark, EditorMark(TARGET, 2, "wrong"), mark]) == [mark, EditorMark(TARGET, 2, "wrong")]
