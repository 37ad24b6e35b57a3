"""A program in which an edit is chosen: however many stand at one place, a driver works out what is not chosen."""

from __future__ import annotations

import re

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram
from texelscope.pipeline.repair.programs.schema_text import AMONG, closed, opened
from texelscope.pipeline.repair.text.mutation import NUMBER

MACRO = """\
#version 330
#define FETCH(t, y, x) texelFetch(t, ivec2((x) + 1, (y) * 4), 0)
#define NEAR(x, y) textureOffset(image, pos, ivec2(x, y))
uniform sampler2D image;
in vec2 pos;
out vec4 result;
void main() {
    int row = int(gl_FragCoord.y);
    result = FETCH(image, row, 2) + NEAR(1, -1);
}
"""


def in_one_another(text: str) -> int:
    """Returns the most conditions in one another."""
    depth = most = 0
    for part in re.findall(r"texelscope_(?:is|among)|[()]", text):
        depth += {"(": 1, ")": -1}.get(part, 0)
        most = max(most, depth)
    return most


def test_hundreds_of_edits_at_one_place_are_few_conditions_in_one_another() -> None:
    templates = {number: f"x{number}" for number in range(1, 301)}
    text = f"{opened(templates, templates, is_statement=False)}x{closed(templates, templates, is_statement=False)}"
    assert in_one_another(text) < 16
    assert [f"x{number}" in text for number in templates] == [True] * 300
    assert text.startswith(f"({AMONG}(1, 300) ? ")


def test_what_is_chosen_elsewhere_is_not_taken_for_one_of_them() -> None:
    templates = {1: "a", 2: "b", 4: "c"}
    text = opened(templates, (1, 2, 3, 4), is_statement=False)
    assert f"{AMONG}(1, 2)" in text
    assert f"{AMONG}(1, 4)" not in text
    assert closed(templates, (1, 2, 3, 4), is_statement=False) == "))"


def test_statements_are_chosen_alike() -> None:
    text = opened({5: "a = 1;", 6: f"a = {NUMBER}.x;"}, (5, 6), is_statement=True)
    assert text == (
        "if (texelscope_among(5, 6)) { if (texelscope_is(5)) { a = 1; } else { a = texelscope_number(6)[0]; } } else { "
    )
    assert closed({5: "", 6: ""}, (5, 6), is_statement=True) == " }"


def test_numbers_of_edits_are_none_of_a_macros_parameters() -> None:
    text = MutableProgram(ProgramSource(MACRO, (SourceFile(0, "a.frag", MACRO),)))
    whole = text.schemata(text.edits(())).program.fragment
    body = next(line for line in whole.split("\n") if line.startswith("#define FETCH"))
    assert "texelscope_number(" in body
    assert not re.search(r"texelscope_number\(\d+\)\.", whole)
