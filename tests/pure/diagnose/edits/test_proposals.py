"""What a shader may have meant to say: every proposal is an expression of the same type, and none has no end."""

from __future__ import annotations

import pytest

from pipeline.diagnose.edits.schemata import CHOICE, Edit, EditableText
from pipeline.diagnose.edits.trying import other_values
from pipeline.plan import ProgramSource, SourceFile, UniformValue

SHADER = """\
#version 330
const float PAD = 2.0;
const int SIZE = 3;
uniform sampler2D image;
uniform ivec2 u_size;
out vec4 result;
float one(vec2 at, int lane) {
    return texture(image, at)[lane];
}
void main() {
    vec2 at = gl_FragCoord.xy + 1.0;
    float w[SIZE];
    int i = 0;
    for (int k = 0; k < u_size.y - 1; k++) i += k;
    result = vec4(one(at.yx, i), -at.x, 0.5, 1.0);
}
"""


def edits(text: str = SHADER, numbers: tuple[float, ...] = ()) -> tuple[Edit, ...]:
    return EditableText(ProgramSource(text, (SourceFile(0, "a.frag", text),))).edits(numbers)


def said(line: int, kind: str = "replaced", numbers: tuple[float, ...] = ()) -> set[tuple[str, str]]:
    return {
        (edit.proposal.old, edit.proposal.new)
        for edit in edits(numbers=numbers)
        if edit.line == ("a.frag", line) and edit.proposal.kind == kind
    }


def test_numbers_operands_swizzles_and_orders_are_proposed() -> None:
    assert {("gl_FragCoord.xy + 1.0", "(gl_FragCoord.xy)"), ("1.0", "0.0"), ("1.0", "0.5")} <= said(11)
    assert ("gl_FragCoord.xy", "gl_FragCoord.yx") in said(11)
    assert {("at.yx", "at.xy"), ("-at.x", "(at.x)")} <= said(15)
    assert {("k < u_size.y - 1", "(k <= u_size.y - 1)"), ("u_size.y - 1", "(u_size.y)")} <= said(14)
    assert ("k", "int(0)") in said(14)
    assert ("2.0", "7.25") in said(2, numbers=(7.25,))


def test_a_number_is_added_where_something_is_used_as_a_whole() -> None:
    assert ("at.yx", "at.yx + 0.5") in said(15, "added")
    assert ("u_size.y - 1", "u_size.y - 1 + 1") in said(14, "added")


def test_what_moves_a_loop_on_sizes_of_arrays_and_targets_are_left_alone() -> None:
    every = edits()
    texts = {(edit.line[1], edit.proposal.old) for edit in every}
    assert not {(14, "k++"), (12, "SIZE"), (3, "3"), (4, "image"), (8, "image")} & texts
    assert (2, "2.0") in texts


def test_a_variable_that_the_rest_does_not_mention_is_no_number_too_many() -> None:
    text = SHADER.replace("gl_FragCoord.xy + 1.0", "gl_FragCoord.xy - vec2(u_size)")
    assert "(gl_FragCoord.xy)" not in {edit.proposal.new for edit in edits(text)}


def test_all_edits_are_one_program_with_the_lines_where_they_were() -> None:
    program = ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),))
    text = EditableText(program)
    made = text.schemata(text.edits(()))
    numbers = {edit.number for edit in made.edits}
    assert numbers == set(range(1, len(numbers) + 1))
    assert len(made.edits) > len(numbers)
    assert all(f"{CHOICE} == {number} ?" in made.program.fragment for number in numbers)
    assert "/*const*/ float PAD" in made.program.fragment  # it is a variable now
    assert "\nconst int SIZE = 3;" in made.program.fragment


@pytest.mark.parametrize(
    ("value", "other"),
    [(2, 3), (2, 1), (2, 4), (0.5, 1.0), ((4, 6), (6, 4)), ((4, 6), (4, 5)), ((1.0, 2.0), (1.5, 2.0)), (3, 9)],
)
def test_a_uniform_may_have_been_meant_otherwise(value: UniformValue, other: UniformValue) -> None:
    found = other_values(value, (9.0,))
    assert other in found
    assert value not in found


def test_a_uniform_of_truths_is_none_of_numbers() -> None:
    assert other_values((True, False), ()) == []
