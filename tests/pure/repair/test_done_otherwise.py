"""Tests edits that use the same reads in another way: other partners, other counts, other sums."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.classify.edit_words import (
    are_exchanged,
    asks_for_steps,
    done_to_lanes,
    is_half,
    is_summand_moved,
    keeps_more,
    multiplies,
    puts_in,
    started,
    statements_exchanged,
)
from texelscope.pipeline.repair.classify.meaning import done_otherwise

SHADER = """\
#version 330
uniform sampler2D image, other;
uniform int u_rows, u_columns;
uniform float u_gain, u_eps;
out vec4 result;
float curve(float v) { return v < 0.0 ? 0.1 * v : v; }
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 a = texelFetch(image, p, 0), b = texelFetch(other, p, 0);
    float total = 0.0;
    for (int i = 0; i < u_rows; i++) total += texelFetch(image, ivec2(i, p.y), 0).x;
    float mean = total / float(u_rows * u_columns);
    mat4 m = mat4(0.5, -0.25, 0.125, 1.5, a, b, a);
    result = (a + b) * mean;
    result.x = a.x * u_gain + b.x;
    result.y = sqrt(mean) + u_eps;
    result += m * a;
    result += clamp(a, 0.0, 1.0) + mix(a, b, mean);
    result.w += dot(a.xyz, b.xyz);
    result.z *= p.x <= u_rows ? 1.0 : 0.0;
    result.z += mean <= 1.0 ? 1.0 : 0.0;
    bool inside = p.y <= u_columns;
    if (p.x <= u_columns) return;
    int row = p.y + 1, column = p.x / 2;
    if (row > column) result.x += 1.0;
    result.y += u_gain * float(row);
    int side = max(row - column, 1);
    result.z = total / float(side * side);
    result.x = u_gain * exp(mean);
    result.x = a.x > 0.0 ? mean : a.x;
    result += vec4(lessThan(a, b));
}
"""
PROGRAM = ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),))


def edit(line: int, old: str, new: str) -> LineEdit:
    before = SHADER.split("\n")[line - 1]
    assert old in before
    return LineEdit("a.frag", line, before, before.replace(old, new))


@pytest.mark.parametrize(
    ("line", "old", "new", "expected"),
    [
        (12, "float(u_rows * u_columns)", "float(u_rows)", "count"),  # of what was added up
        (12, "float(u_rows * u_columns)", "sqrt(float(u_rows))", None),
        (14, "(a + b) * mean", "a + b * mean", "partner"),
        (14, "(a + b) * mean", "(a - b) * mean", "sign"),
        (15, "a.x * u_gain + b.x", "a.x + b.x", "factor"),
        (15, "a.x * u_gain + b.x", "(a.x + b.x) * u_gain", "factor"),
        (15, "a.x * u_gain + b.x", "a.x * u_gain + b.x + mean", "summand"),
        (15, "a.x * u_gain + b.x", "a.x * u_gain + b.x + 1.0", None),
        (16, "sqrt(mean) + u_eps", "sqrt(mean + u_eps)", "epsilon"),
        (17, "m * a", "a * m", "turned"),
        (17, "m * a", "(a) * (m)", "turned"),
        (18, "clamp(a, 0.0, 1.0)", "a", "capped"),
        (18, "mix(a, b, mean)", "mix(b, a, mean)", "partner"),
        (19, "dot(a.xyz, b.xyz)", "dot(a, b)", "lanes"),
        (11, "for", "total = 0.0; for", "reset"),
        (13, "-0.25", "0.25", "number"),
        (6, "0.1 * v", "v", None),  # of a branch alone
        (14, "(a + b) * mean", "((a + b) * mean) * u_gain", "factor"),
        (15, "a.x * u_gain + b.x", "a.x * u_gain + b.x - mean", "summand"),
        (15, "a.x * u_gain + b.x", "a.x * u_gain + b.x - mean * mean", "summand"),
        (18, "mix(a, b, mean)", "mix(a, b, 1.0 - mean)", "partner"),  # as mix(b, a, mean)
        (20, "<=", "<", "guard"),
        (21, "<=", "<", None),  # of values
        (22, "<=", "<", "guard"),
        (23, "<=", "<", None),  # more is left out
        (16, "sqrt(mean)", "sqrt(mean) * a.x", "factor"),
        (15, "a.x * u_gain", "a.x * a.x * u_gain", None),  # a power
        (16, "result.y = sqrt(mean)", "result.y = -sqrt(mean)", "sign"),
        (29, "exp(mean)", "curve(exp(mean))", "applied"),
        (29, "u_gain", "u_eps", "factor"),
        (30, "mean : a.x", "a.x : mean", None),  # a choice
        (31, "lessThan(a, b)", "lessThan(b, a)", None),
        (29, "u_gain * exp(mean)", "exp(u_gain * mean)", "function"),
        (29, "exp(mean)", "exp(u_gain * mean)", "factor"),
        (29, "exp(mean)", "exp(-mean)", "function"),
        (29, "exp(mean)", "exp(mean - a.x)", "summand"),
        (25, "row > column", "row >= column", "element"),  # which lies behind which
        (26, "float(row)", "float(column)", "element"),
        (26, "float(row)", "float(u_rows)", None),
        (27, "row - column", "row - column + 1", "count"),
    ],
)
def test_an_edit_with_which_the_same_is_read_says(line: int, old: str, new: str, expected: str | None) -> None:
    assert done_otherwise(PROGRAM, edit(line, old, new)) == expected


def test_a_mean_of_the_model_has_a_count_whatever_is_divided() -> None:
    of_one = edit(12, "total / float(u_rows * u_columns)", "a.x / float(u_rows)")
    assert done_otherwise(PROGRAM, of_one) is None
    text = SHADER.replace("mean = total /", "mean = a.x /")
    program, line = ProgramSource(text, (SourceFile(0, "a.frag", text),)), text.split("\n")[11]
    count = LineEdit("a.frag", 12, line, line.replace("u_rows * u_columns", "u_rows"))
    assert done_otherwise(program, count) == "factor"
    assert done_otherwise(program, count, frozenset({"ReduceMean"})) == "count"


def test_lines_that_change_places_are_told_from_what_moves_on_to_another() -> None:
    one, other = edit(15, "a.x * u_gain", "mean * u_gain"), edit(16, "sqrt(mean)", "sqrt(a.x)")
    assert are_exchanged(Repair((one, other), "", 1, 1))
    moved = edit(15, "a.x * u_gain", "a.x"), edit(16, "sqrt(mean)", "sqrt(mean) * u_gain")
    assert not are_exchanged(Repair(moved, "", 1, 1))
    assert not are_exchanged(Repair((one,), "", 1, 1))


def test_what_is_put_in_takes_no_other_name_away() -> None:
    assert puts_in(edit(10, "0.0", "texelFetch(other, p, 0).x"))
    assert puts_in(edit(14, "(a + b)", "(a + b + m[0])"))
    assert not puts_in(edit(14, "(a + b) * mean", "(a + b) * mean * u_gain"))
    assert not puts_in(edit(9, "texelFetch(image, p, 0)", "texelFetch(other, p, 0)"))


def test_what_lies_between_two_steps_is_left_out_by_a_condition() -> None:
    before = "if (at < 0.0 || at > size) continue;"
    assert asks_for_steps(LineEdit("a.frag", 1, before, before.replace(")", " || fract(at) > 0.0)", 1)))
    assert not asks_for_steps(LineEdit("a.frag", 1, before, before.replace(")", " || at > end)", 1)))
    assert not asks_for_steps(LineEdit("a.frag", 1, "x = texel / 2;", "x = texel / 2 % 4;"))


def test_a_half_that_is_rounded_moves_no_texel() -> None:
    assert is_half(LineEdit("a.frag", 1, "at = (texel + 0.5) / size;", "at = texel / size;"))
    assert not is_half(LineEdit("a.frag", 1, "at = floor(index / 4.0 + 0.5);", "at = floor(index / 4.0);"))


def test_a_summand_that_is_there_under_a_condition_alone_was_one_too_many() -> None:
    assert done_otherwise(PROGRAM, edit(15, "+ b.x", "+ (p.x + 1 < u_columns ? b.x : 0.0)")) == "guard"
    assert done_otherwise(PROGRAM, edit(15, "+ b.x", "+ (b.x > 0.0 ? b.x : 0.0)")) is None  # a curve


def test_a_factor_that_is_put_in_is_all_that_an_edit_does() -> None:
    assert multiplies(edit(14, "(a + b) * mean", "(a + b) * mean * u_gain"))
    assert multiplies(edit(16, "sqrt(mean)", "u_gain * sqrt(mean)"))
    assert multiplies(edit(15, "a.x * u_gain + b.x", "(a.x * u_gain + b.x) * 0.5"))
    assert not multiplies(edit(16, "sqrt(mean)", "sqrt(mean) + u_gain"))
    assert not multiplies(edit(15, "a.x * u_gain", "a.x"))


def test_two_places_that_are_exchanged_within_each_line_are_too() -> None:
    one, other = edit(18, "mix(a, b, mean)", "mix(b, a, mean)"), edit(14, "a + b", "b + a")
    assert not are_exchanged(Repair((one, other), "", 1, 1))  # not with one another
    back = LineEdit("a.frag", 19, "f(vec2(b.x, a.y))", "f(vec2(a.x, b.y))")
    forth = LineEdit("a.frag", 20, "g(vec2(a.x, b.y))", "g(vec2(b.x, a.y))")
    assert are_exchanged(Repair((back, forth), "", 1, 1))


def statements(*pairs: tuple[str, str]) -> Repair:
    return Repair(tuple(LineEdit("a.frag", 10 + at, *pair) for at, pair in enumerate(pairs)), "", 1, 1)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("s += bias;", "s = max(s, 0.0);", "before"),
        ("s = s + bias;", "s = curve(s);", "before"),
        ("s = max(s, 0.0);", "s += bias;", "function"),
        ("s /= sqrt(n);", "if (far) s += MASKED;", "factor"),
        ("s += bias;", "s = s * gain;", "factor"),
        ("a = x;", "b = y;", None),
        ("a += x;", "b += y;", None),
    ],
)
def test_statements_that_change_places_say_what_comes_first(first: str, second: str, expected: str | None) -> None:
    assert statements_exchanged(statements((second, first), (first, second))) == expected


def test_a_summand_moves_from_behind_a_function_to_an_earlier_line() -> None:
    behind = ("y = (v < 0.0 ? 0.1 * v : v) + beta(c);", "y = v < 0.0 ? 0.1 * v : v;")
    assert is_summand_moved(statements(("v = (x - m) * k;", "v = (x - m) * k + beta(c);"), behind))
    assert is_summand_moved(statements(("float v = 0.0;", "float v = beta(c);"), behind))
    assert not is_summand_moved(statements(("v = (x - m) * k;", "v = (x - m) * k + beta(d);"), behind))
    assert not is_summand_moved(statements(("v = x;", "v = x + b;"), ("y = v + b;", "y = v;")))  # behind nothing


def test_what_begins_with_a_value_in_place_of_nothing_is_told_by_name() -> None:
    begun = [("float s = 0.0;", "float s = bias[o];"), ("s[l] = vec4(0.0);", "s[l] = read(b, l);")]
    assert [started(LineEdit("a.frag", 1, *pair)) for pair in begun] == ["s", "s"]
    assert started(LineEdit("a.frag", 1, "float s = 1.0;", "float s = bias[o];")) is None
    assert started(LineEdit("a.frag", 1, "float s = 0.0;", "float s = 0.5;")) is None


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("ycc.y -= 0.5;", "ycc.yz -= 0.5;", "summand"),
        ("v *= a;", "v.xy *= a;", "factor"),
        ("v *= a;", "v *= b;", None),
        ("u.x += a;", "v.x += a;", None),
    ],
)
def test_what_is_done_to_other_lanes_of_a_vector(before: str, after: str, expected: str | None) -> None:
    assert done_to_lanes(WORD.findall(before), WORD.findall(after)) == expected


def test_the_largest_of_all_is_kept_where_it_was_the_last() -> None:
    before, after = WORD.findall("best = row;"), WORD.findall("best = max(best, row);")
    assert keeps_more(before, after)
    assert not keeps_more(before, WORD.findall("best = max(best, other);"))
