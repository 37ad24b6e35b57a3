"""What was forgotten is put back: rows of the model, terms of an index, bounds, values that stand nowhere else."""

from __future__ import annotations

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant

HEAD = """\
#version 330
uniform sampler2D image;
uniform ivec2 u_size;
out vec4 result;
"""


def edits(body: str, rows: tuple[tuple[float, ...], ...] = (), numbers: tuple[float, ...] = ()) -> tuple[Mutant, ...]:
    text = HEAD + body
    return MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),))).edits(numbers, (), rows)


def said(body: str, rows: tuple[tuple[float, ...], ...] = (), numbers: tuple[float, ...] = ()) -> set[tuple[str, str]]:
    return {(each.proposal.old, each.proposal.new) for each in edits(body, rows, numbers)}


def test_a_row_of_the_model_that_stands_nowhere_is_written_for_one_that_does() -> None:
    rows = ((0.25, -0.5, 0.125), (1.5, 2.5, 3.5))
    found = said("void main() { result = vec4(vec3(0.25, -0.5, 0.1250), 1.0) + vec4(vec3(0.1, 0.2, 0.3), 0.0); }", rows)
    assert ("vec3(0.1, 0.2, 0.3)", "vec3(1.5, 2.5, 3.5)") in found
    assert not any("vec3(0.25, -0.5, 0.125)" in new for _, new in found)


def test_a_row_of_the_model_that_stands_nowhere_is_added_where_others_are_written_out() -> None:
    rows = ((1.5, 2.5, 3.5, 4.5),)
    body = "void main() { vec4 v = mat2x2(0.1, 0.2, 0.3, 0.4)[0].xyxy * vec4(1.0, 2.0, 1.0, 2.0); result = v; }"
    assert ("v", "(v + vec4(1.5, 2.5, 3.5, 4.5))") in said(body, rows)
    body = "void main() { vec4 v = vec4(u_size.x); result = v; }"
    assert not any("4.5" in new for _, new in said(body, rows))


def test_of_tables_only_numbers_that_are_expected_are_tried() -> None:
    body = "const vec4 W[2] = vec4[2](vec4(0.1, 0.2, 0.3, 0.4), vec4(0.5, 0.6, 0.7, 0.8));\n"
    body += "void main() { result = W[u_size.x] + mat4(0.9) * vec4(0.95); }"
    found = {new for old, new in said(body, numbers=(0.33,)) if old in ("0.3", "0.9")}
    assert found == {"0.33"}
    assert ("0.95", "1.95") in said(body)


def test_a_variable_times_a_step_and_a_factor_are_put_to_an_index() -> None:
    body = "void main() { int group = u_size.x, lane = u_size.y; int c = lane; int y = (c - 1) + lane; "
    found = said(body + "result = vec4(c, y, texelFetch(image, ivec2(c % 3, 0), 0).xy); }")
    assert ("lane", "group * 4 + lane") in found
    assert ("(c - 1)", "(c - 1) * 2") in found
    assert ("0", "c / 3") in found  # the other side of the same grid


def test_a_bound_goes_over_a_sum_or_over_one_summand() -> None:
    body = "void main() { vec4 a = texture(image, vec2(0.0)), b = a.wzyx; a = max(a, vec4(0.0)) + b; "
    assert ("max(a, vec4(0.0)) + b", "max(a + b, vec4(0.0))") in said(body + "result = a; }")
    found = said(body + "result = clamp(a + b, 0.0, 1.0); }")
    assert ("clamp(a + b, 0.0, 1.0)", "(clamp(a, 0.0, 1.0) + b)") in found
    assert ("clamp(a + b, 0.0, 1.0)", "(a + clamp(b, 0.0, 1.0))") in found


def test_a_vector_stands_for_a_lane_of_it_where_the_sum_is_a_vector() -> None:
    body = "void main() { vec2 a = vec2(u_size), b = a.yx; float k = a.x; a = a - k * b.x; result = vec4(a, k, 1); }"
    found = said(body)
    assert ("a - k * b.x", "a - k * b") in found
    assert not any(old == "a.x" and new == "a" for old, new in found)


def test_a_statement_that_does_nothing_assigns() -> None:
    body = "void main() { vec4 sum = vec4(0.0); sum + texture(image, vec2(0.5)); result = sum; }"
    assert ("sum + texture(image, vec2(0.5));", "sum += texture(image, vec2(0.5));") in said(body)


def test_what_was_worked_out_and_stands_nowhere_else_is_added() -> None:
    body = "float weight(int o) { return float(o); }\n"
    body += "void main() { int o = u_size.x; float b = texture(image, vec2(0.5)).x; float s = 2.0; result = vec4(s); }"
    found = said(body)
    assert ("2.0", "(2.0 + b * weight(o))") in found
    assert ("2.0", "(2.0 + b)") in found


def test_macros_of_one_form_are_taken_for_one_another_and_know_what_they_are_called_with() -> None:
    body = "#define pos(off) texture(image, u_half + off)\n#define neg(off) -texture(image, u_half.x * (off))\n"
    body = "uniform vec2 u_half;\n" + body + "void main() { result = pos(vec2(1.0)) + neg(vec2(-1.0)); }"
    found = said(body)
    assert ("neg(vec2(-1.0))", "pos(vec2(-1.0))") in found
    assert ("u_half.x * (off)", "u_half * (off)") in found


def test_edits_of_a_macro_weigh_as_often_as_it_is_used() -> None:
    once = "#define go(x) max(texture(image, vec2(x)), 0.0)\nvoid main() { result = go(4.0); }"
    often = once.replace("go(4.0);", "go(4.0) + go(1.0) + go(2.0) + go(3.0);")
    weights = [next(each.weight for each in edits(body) if each.proposal.old == "0.0") for body in (once, often)]
    assert 0 < weights[0] * 4 == weights[1]


def test_an_edit_that_repeats_lines_leaves_as_many_as_there_were() -> None:
    """What is found behind it is told by the author's lines."""
    body = "void main() {\n    vec4 a = texture(image, // the left\n        vec2(0.5));\n    result = a;\n}\n"
    made = MutableProgram(ProgramSource(HEAD + body, (SourceFile(0, "a.frag", HEAD + body),)))
    longer = [each for each in made.edits(()) if each.proposal.new.count("\n") > each.proposal.old.count("\n")]
    assert longer
    for each in longer:
        assert made.edited((each,)).count("\n") == (HEAD + body).count("\n")
        assert made.after(each).edits(())
