"""Tests what a shader may have meant: every proposal is an expression of the same type, and there are finitely many."""

from __future__ import annotations

import re

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile, UniformValue
from texelscope.pipeline.repair.pipeline_file_repairs.numbers import other_values
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import programs

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


def edits(text: str = SHADER, numbers: tuple[float, ...] = ()) -> tuple[Mutant, ...]:
    return MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),))).edits(numbers)


def said(line: int, kind: str = "replaced", numbers: tuple[float, ...] = ()) -> set[tuple[str, str]]:
    return {
        (edit.proposal.old, edit.proposal.new)
        for edit in edits(numbers=numbers)
        if edit.line == ("a.frag", line) and edit.proposal.kind == kind
    }


def test_what_is_added_is_added_to_no_more_and_no_less() -> None:
    text = "#version 330\nin vec2 uv; out float y; void main() { float v = uv.x; y = 2.0 * exp(v); }\n"
    editable = MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))
    made = {(each.proposal.old, each.proposal.new) for each in editable.edits(()) if each.proposal.kind == "added"}
    assert {("exp(v)", "(exp(v) - 1.0)"), ("v", "v + 1.0"), ("2.0 * exp(v)", "2.0 * exp(v) - 1.0")} <= made
    assert ("exp(v)", "exp(v) - 1.0") not in made


def test_numbers_operands_swizzles_and_orders_are_proposed() -> None:
    assert {("gl_FragCoord.xy + 1.0", "gl_FragCoord.xy"), ("1.0", "2.0"), ("1.0", "0.5")} <= said(11)
    assert ("1.0", "0.0") not in said(11)  # what the sum is without it
    assert ("gl_FragCoord.xy", "gl_FragCoord.yx") in said(11)
    assert {("at.yx", "at.xy"), ("-at.x", "at.x")} <= said(15)
    assert {("k < u_size.y - 1", "k <= u_size.y - 1"), ("u_size.y - 1", "u_size.y")} <= said(14)
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


def test_an_operand_of_floats_may_be_one_too_many_and_none_deep_within() -> None:
    text = SHADER.replace("gl_FragCoord.xy + 1.0", "gl_FragCoord.xy - vec2(u_size)")
    assert "gl_FragCoord.xy" in {edit.proposal.new for edit in edits(text)}
    assert "vec2(u_size)" not in {edit.proposal.new for edit in edits(text)}
    deep = SHADER.replace("gl_FragCoord.xy + 1.0", "abs(gl_FragCoord.xy - vec2(u_size))")
    assert "gl_FragCoord.xy" not in {edit.proposal.new for edit in edits(deep) if edit.proposal.old.startswith("abs")}


def test_all_edits_are_one_program_with_the_lines_where_they_were() -> None:
    program = ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),))
    text = MutableProgram(program)
    made = text.schemata(text.edits(()))
    numbers = {edit.number for edit in made.edits}
    assert numbers == set(range(1, len(numbers) + 1))
    assert len(made.edits) > len(numbers)
    alone = {int(each) for each in re.findall(r"texelscope_is\((\d+)\)", made.program.fragment)}
    among = re.findall(r"texelscope_among\((\d+), (\d+)\)", made.program.fragment)
    assert alone | {each for a, b in among for each in range(int(a), int(b) + 1)} == numbers
    assert "/*const*/ float PAD" in made.program.fragment  # it is a variable now
    assert "\nconst int SIZE = 3;" in made.program.fragment


def test_other_variables_functions_statements_and_values_are_proposed() -> None:
    every = {(edit.line[1], edit.proposal.kind, edit.proposal.new) for edit in edits()}
    assert (15, "swapped", "one(at.yx, int(at.x))") not in every  # no type is changed
    assert (14, "statement", "i = k;") in every
    assert (15, "statement", "result = vec4(one(at.yx, i), -at.x, 0.5, 1.0);") not in every
    assert {(15, "statement", ""), (15, "put in", "max(-at.x, 0.0)")} <= every
    assert (9, "swapped", "texture(image, result.xy)[lane]") not in every


def test_what_stands_behind_a_macro_is_edited_there() -> None:
    text = SHADER.replace("out vec4 result;", "out vec4 result;\n#define LOOKED(x) max(texture(image, x), 0.0)")
    text = text.replace("texture(image, at)[lane]", "LOOKED(at)[lane]")
    found = {edit.proposal.new for edit in edits(text) if edit.line == ("a.frag", 7)}
    assert {"texture(image, x)", "min(texture(image, x), 0.0)"} <= found
    made = MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))
    chosen = next(edit for edit in made.edits(()) if edit.proposal.new == "texture(image, x)")
    assert "#define LOOKED(x) texture(image, x)\n" in made.edited((chosen,))


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


def test_numbers_and_variables_of_a_whole_product_are_exchanged() -> None:
    function = "int at(int y, int x) {\n    return y * 3 + x * 5;\n}\n"
    text = f"#version 330\nout vec4 o;\n{function}void main() {{ o = vec4(at(1, 2)); }}\n"
    made = {edit.proposal.new for edit in edits(text) if edit.line == ("a.frag", 4) and edit.proposal.kind == "swapped"}
    assert {"y * 5 + x * 3", "x * 3 + y * 5"} <= made


@pytest.mark.parametrize("instance", ["", "sizes"])
def test_a_member_of_a_block_stands_for_another_one(instance: str) -> None:
    dot = instance and f"{instance}."
    text = (
        "#version 430\nlayout(std140) uniform Sizes { uint rows; uint columns; } INSTANCE;\nout vec4 o;\n"
        "void main() {\n"
        f"    o = vec4(uint(gl_FragCoord.x) * {dot}rows);\n}}\n"
    ).replace(" INSTANCE", f" {instance}" if instance else "")
    made = {(edit.proposal.old, edit.proposal.new) for edit in edits(text) if edit.line == ("a.frag", 5)}
    assert (f"{dot}rows", f"{dot}columns") in made


@pytest.mark.parametrize(
    ("block", "array"),
    [("Bias { float bias[]; }", "bias"), ("Bias { float data[]; } bias", "bias.data"), ("B { float b[]; }", "b")],
)
def test_a_sum_begins_with_an_element_of_a_buffer_that_nothing_uses(block: str, array: str) -> None:
    text = (
        f"#version 430\nlayout(local_size_x = 8) in;\nlayout(std430) readonly buffer {block};\n"
        "layout(std430) buffer Y { float y[]; };\nvoid main() {\n    float sum = 0.0;\n"
        "    uint c = gl_WorkGroupID.y;\n    y[gl_GlobalInvocationID.x] = sum;\n}\n"
    )
    made = {(edit.proposal.old, edit.proposal.new) for edit in edits(text)}
    assert ("0.0", f"{array}[gl_WorkGroupID.y]") in made
    assert ("sum", f"(sum + {array}[c])") in made


@pytest.mark.parametrize(
    ("declared", "quotient", "rounded"),
    [
        ("const int TILE = 8;", "int(n) / TILE", "(int(n) + TILE - 1) / TILE"),
        ("const uint TILE = 8u;", "n / TILE", "(n + TILE - 1u) / TILE"),
        ("", "n / 8U", "(n + 7U) / 8U"),
    ],
)
def test_a_number_of_tiles_is_rounded_up(declared: str, quotient: str, rounded: str) -> None:
    text = f"#version 430\n{declared}\nuniform uint n;\nout vec4 o;\nvoid main() {{\n    o = vec4({quotient});\n}}\n"
    assert (quotient, rounded) in {(each.proposal.old, each.proposal.new) for each in edits(text)}


def test_two_indices_of_an_array_of_arrays_are_exchanged() -> None:
    text = (
        "#version 430\nout vec4 o;\nvoid main() {\n    float tile[8][8];\n    int i = 1;\n"
        "    o = vec4(tile[int(gl_FragCoord.x)][i]);\n}\n"
    )
    made = {(edit.proposal.old, edit.proposal.new) for edit in edits(text) if edit.line == ("a.frag", 6)}
    assert ("tile[int(gl_FragCoord.x)][i]", "tile[i][int(gl_FragCoord.x)]") in made


def test_sizes_of_what_is_bound_stand_in_place_of_numbers_and_are_not_added() -> None:
    text = "#version 330\nout vec4 o;\nvoid main() { int i = int(gl_FragCoord.x) * 5; o = vec4(i); }\n"
    source = ProgramSource(text, (SourceFile(0, "a.frag", text),))
    made = {(each.proposal.old, each.proposal.new) for each in MutableProgram(source).edits((), (42.0,))}
    assert ("5", "42") in made
    assert not any("+ 42" in new for _, new in made)


def test_what_is_called_on_a_line_lies_behind_it() -> None:
    text = MutableProgram(ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),)))
    assert set(text.behind((("a.frag", 15),))) == {("a.frag", number) for number in (7, 8, 9, 15)}
    assert text.behind((("a.frag", 12),)) == (("a.frag", 12),)


HOOK = """\
#version 330
in vec2 pos;
uniform sampler2D ONE;
uniform sampler2D TWO;
out vec4 color;
#define ONE_pos pos
#define ONE_tex(p) texture(ONE, p)
#define TWO_tex(p) texture(TWO, p)
#define go(x_off, y_off) max(ONE_tex(pos + vec2(y_off, x_off)), 0.0)
void main() {
    ivec2 i = ivec2(pos);
    vec4 sum = go(0.0, 1.0) + ONE_tex(pos)[i.x * 2 + i.y];
    sum += go(1.0, 0.0);
    color = vec4(sum.rgb, 1.0);
}
"""


def test_signs_macros_and_factors_of_a_hook_are_proposed() -> None:
    new = {(edit.line[1], edit.proposal.new) for edit in edits(HOOK)}
    assert (9, "-ONE_tex(pos + vec2(y_off, x_off))") in new
    assert (9, "vec2(x_off, y_off)") in new
    assert (9, "TWO_tex(pos + vec2(y_off, x_off))") in new
    assert (12, "i.y * 2 + i.x") in new
    assert (13, "go(1.0, 0.0) + ONE_tex(ONE_pos)") in new
    assert (14, "sum") in new


def test_sizes_that_have_a_name_bound_cut_and_weigh() -> None:
    text = """\
#version 330
uniform sampler2D image;
uniform int groups;
const int SIZE = 5;
out float result;
float at(int c) { return texelFetch(image, ivec2(c, 0), 0).r; }
void main() {
    int tile = int(gl_FragCoord.x);
    int first = tile * 1;
    float sum = 0.0;
    for (int k = first; k <= tile + 2; k++) sum += at(k);
    float weighed = 2.0 + sum * 3.0;
    result = weighed;
}
"""
    found = {(edit.line[1], edit.proposal.old, edit.proposal.new) for edit in edits(text)}
    assert {
        (9, "tile * 1", "tile / groups * groups"),
        (9, "tile * 1", "tile % SIZE"),
        (9, "tile * 1", "min(tile * 1, SIZE - 1)"),
        (11, "tile + 2", "min(tile + 2, SIZE - 1)"),
        (11, "first", "max(first, 0)"),
        (12, "sum", "sum / float(SIZE)"),
        (13, "weighed", "(weighed) / sqrt(float(groups))"),
    } <= found


def test_a_quotient_of_whole_numbers_may_be_meant_as_a_rest_and_of_floats_not() -> None:
    text = """\
#version 330
uniform int groups;
out float result;
void main() {
    int tile = int(gl_FragCoord.x);
    int c = tile / groups;
    result = gl_FragCoord.x / float(c);
}
"""
    new = {edit.proposal.new for edit in edits(text) if edit.proposal.kind == "replaced"}
    assert "tile % groups" in new
    assert not any("gl_FragCoord.x %" in each for each in new)


def test_what_writes_a_function_out_once_more_is_tried_in_programs_of_its_own() -> None:
    text = """\
#version 330
uniform sampler2D image;
out float result;
float score(int c) {
    float sum = 0.0;
    for (int k = 0; k < 9; k++) sum += texelFetch(image, ivec2(c, k), 0).r * texelFetch(image, ivec2(k, c), 0).r;
    return sum;
}
void main() {
    float total = 0.0;
    for (int k = 0; k < 9; k++) {
        total = max(total, score(k));
    }
    result = total;
}
"""
    plans = [some for _, some in programs(edits(text), (("a.frag", 12),))]
    [heavy] = [some for some in plans if any(each.proposal.new == "total += score(k);" for each in some)]
    assert max(each.compile_cost for each in heavy) > 500
    assert sum({each.number: each.compile_cost for each in heavy}.values()) <= 4000
    assert not any("score" not in each.proposal.new for each in heavy)


def test_more_lanes_the_largest_of_all_and_the_first_of_a_group_are_proposed() -> None:
    text = """#version 330
uniform sampler2D image;
uniform int u_count, u_more;
out vec4 y;
void main() {
    vec3 v = texelFetch(image, ivec2(int(gl_FragCoord.x) % 3, 0), 0).rgb;
    v.y -= 0.5;
    float best = 0.0;
    for (int i = 0; i < u_count; i++) {
        best = v.x * float(i);
    }
    y = vec4(v, best + 0.1 * v.z);
}
"""
    made = {(each.proposal.old, each.proposal.new) for each in edits(text)}
    assert {("v.y -= 0.5;", "v.yz -= 0.5;"), ("v.y -= 0.5;", "v -= 0.5;")} <= made
    assert ("best = v.x * float(i);", "best = max(best, v.x * float(i));") in made
    assert ("int(gl_FragCoord.x) % 3", "int(gl_FragCoord.x) / 3 * 3") in made
    assert ("u_count", "u_count + u_more") in made
    assert ("v.z", "min(v.z, 0.0)") in made


def test_a_count_is_rounded_up_and_a_quotient_changes_places_with_its_remainder() -> None:
    text = """#version 330
uniform sampler2D image;
uniform int u_count;
out vec4 y;
void main() {
    int i = int(gl_FragCoord.x), slices = u_count / 4;
    y = vec4(texelFetch(image, ivec2(i & 3, slices), 0)[i >> 2]);
}
"""
    made = {(each.proposal.old, each.proposal.new) for each in edits(text)}
    assert ("u_count / 4", "(u_count + 3) / 4") in made
    read = "texelFetch(image, ivec2({}, slices), 0)[{}]"
    assert (read.format("i & 3", "i >> 2"), read.format("i >> 2", "i & 3")) in made
