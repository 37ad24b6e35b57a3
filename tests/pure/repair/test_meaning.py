"""Tests what a repair names as wrong: an element, a function, a number, or nothing that has a name."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.classify.meaning import meaning, meanings

SHADER = """\
#version 330
uniform sampler2D image;
uniform ivec2 u_size;
const float SLOPE = 0.25;
out vec4 result;
float get(int c, int y, int x) { return texelFetch(image, ivec2(x, y + c * u_size.y), 0).x; }
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int row = p.y / 2;
    float best = -1e30, sum = 0.0;
    for (int c = 0; c < 4; c++) {
        best = max(best, get(c, row, p.x));
        sum += SLOPE * get(c, p.y, p.x);
    }
    if (p.x > 2) sum = 0.0;
    vec4 four = texelFetch(image, p, 0);
    result = vec4(best, sum * 0.5, four.y, float(row));
    if (gl_FragCoord.x == 10.5) result = vec4(1.0);
    if (four.x > 0.75) result = vec4(0.25);
}
"""


def repair(*edits: tuple[int, str, str]) -> Repair:
    lines = SHADER.split("\n")
    made = tuple(
        LineEdit("a.frag", line, lines[line - 1], lines[line - 1].replace(old, new)) for line, old, new in edits
    )
    assert all(edit.before != edit.after for edit in made)
    return Repair(made, "", 1, 1)


def said(*repairs: Repair) -> str | None:
    return meaning(ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),)), repairs)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ((9, "/ 2", "/ 3"), "element"),
        ((6, "u_size.y", "u_size.x"), "element"),
        ((6, "ivec2(x, y", "ivec2(y, y"), "element"),
        ((13, "p.y, p.x", "p.x, p.y"), "element"),
        ((17, "four.y", "four.z"), "element"),
        ((12, "max(", "min("), "function"),
        ((4, "0.25", "0.1"), "number"),
        ((17, "0.5", "0.25"), "number"),
        ((11, "c < 4", "c < 3"), "fewer turns"),
        ((11, "c = 0", "c = 1"), "fewer turns"),
        ((11, "c < 4", "c <= 4"), "more turns"),
        ((11, "c++", "c += 1"), None),
        ((15, "p.x > 2", "p.x > 3"), None),  # whether
        ((18, "10.5", "0.0"), None),
        ((19, "0.75", "0.5"), "number"),
        ((10, "-1e30", "-5.0"), None),  # a beginning that other values replace
        ((13, "sum +=", "sum -="), None),
    ],
)
def test_one_edit_says(edit: tuple[int, str, str], expected: str | None) -> None:
    assert said(repair(edit)) == expected


LOOPS = """\
#version 330
uniform sampler2D image, kernel;
uniform ivec2 u_size;
out vec4 result;
void main() {
    vec4 sum = vec4(0.0), other = sum;
    for (int half_way = 4; half_way > 0; half_way /= 2) sum += texelFetch(image, ivec2(half_way, 0), 0);
    for (int i = u_size.x / 4; i >= 1; i--) sum += texelFetch(image, ivec2(i, 0), 0);
    for (int x = 0; x < u_size.x / 4; x++)
        for (int y = 0; y < 3; y++) sum += texelFetch(image, ivec2(x, y), 0) * texelFetch(kernel, ivec2(y, x), 0);
    result = u_size.x > 3 ? other : sum;
    int first = u_size.y - 3, next = u_size.y + 1;
    for (int k = first; k < u_size.y; k++) result += texelFetch(image, ivec2(k, next), 0);
    for (int s = 16 >> 2; s > 0; s >>= 1) result += texelFetch(image, ivec2(s, 0), 0);
}
"""


@pytest.mark.parametrize(
    ("line", "old", "new", "expected"),
    [
        (7, "half_way = 4", "half_way = 8", "more turns"),
        (7, "half_way > 0", "half_way > 1", "fewer turns"),
        (8, "/ 4", "/ 2", "more turns"),
        (8, "i >= 1", "i >= 2", "fewer turns"),
        (9, "/ 4", "/ 2", "more turns"),
        (10, "ivec2(y, x)", "ivec2(x, y)", "across"),
        (11, "other : sum", "sum : other", "element"),
        (12, "y - 3", "y - 2", None),  # how much is read
        (12, "y + 1", "y + 2", "element"),
        (14, "16 >> 2", "16 >> 1", "more turns"),
    ],
)
def test_loops_and_choices(line: int, old: str, new: str, expected: str | None) -> None:
    before = LOOPS.split("\n")[line - 1]
    made = Repair((LineEdit("a.frag", line, before, before.replace(old, new)),), "", 1, 1)
    assert made.edits[0].before != made.edits[0].after
    assert meaning(ProgramSource(LOOPS, (SourceFile(0, "a.frag", LOOPS),)), (made,)) == expected


MORE = """\
#version 330
uniform sampler2D image, other;
uniform float u_gain;
out vec4 result;
void main() {
    vec2 at = fract(gl_FragCoord.xy) * 4.0 + 0.5;
    float mean = texture(image, at).x, second = texture(other, at).x;
    float spread = second - mean;
    float root = sqrt(spread) + 0.001;
    result = vec4(mean / 7.0, max(root, 0.0), spread, 1.0 / sqrt(second + 0.01));
    result += vec4(0.5, -1.5, 0.25, 1.0);
    result.x = at.x + mean + mean;
    second = spread;
}
"""


def more(line: int, old: str, new: str, operators: frozenset[str] = frozenset()) -> str | None:
    before = MORE.split("\n")[line - 1]
    made = Repair((LineEdit("a.frag", line, before, before.replace(old, new, 1)),), "", 1, 1)
    assert made.edits[0].before != made.edits[0].after
    return meaning(ProgramSource(MORE, (SourceFile(0, "a.frag", MORE),)), (made,), operators)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ((6, " + 0.5", ""), "half texel"),
        ((6, "0.5", "0.0"), "half texel"),
        ((6, "fract(gl_FragCoord.xy)", "fract(floor(gl_FragCoord.xy))"), "element"),
        ((7, "texture(other", "texture(image"), "tensor"),
        ((10, "spread", "mean"), "partner"),
        ((8, "second - mean", "abs(second - mean)"), "applied"),
        ((8, "second - mean", "max(second - mean, 0.0)"), "applied"),
        ((10, "max(root, 0.0)", "root"), "taken away"),
        ((9, "sqrt(spread) + 0.001", "sqrt(spread + 0.001)"), "epsilon"),
        ((10, "0.01", "0.001"), "epsilon"),
        ((10, "7.0", "8.0"), "number"),
        ((11, "vec4(0.5, -1.5, 0.25, 1.0)", "(vec4(0.5, -1.5, 0.25, 1.0)).yxzw"), "number"),
        ((12, "mean + mean", "mean + second"), "left out"),
        ((13, "= spread", "= max(second, spread)"), "left out"),
    ],
)
def test_more_of_what_an_edit_says(edit: tuple[int, str, str], expected: str) -> None:
    assert more(*edit) == expected


def test_the_divisor_of_a_mean_is_its_count() -> None:
    assert more(10, "7.0", "8.0", frozenset({"ReduceMean"})) == "count"


def test_a_uniform_s_number_is_one_of_the_pipeline_file() -> None:
    edit = LineEdit("pipeline.toml", 9, "uniforms.u_gain = 0.5", "uniforms.u_gain = 1.5")
    program = ProgramSource(MORE, (SourceFile(0, "a.frag", MORE),))
    assert meaning(program, (Repair((edit,), "", 1, 1),)) == "number"
    whole = LineEdit("pipeline.toml", 9, "uniforms.u_width = 5", "uniforms.u_width = 6")
    assert meaning(program, (Repair((whole,), "", 1, 1),)) == "setting"
    other = LineEdit("pipeline.toml", 9, 'textures.image = "a"', 'textures.image = "b"')
    assert meaning(program, (Repair((other,), "", 1, 1),)) == "tensor"


def test_two_edits_that_say_different_things_are_told_apart() -> None:
    both = repair((9, "/ 2", "/ 3"), (17, "0.5", "0.25"))
    program = ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),))
    assert [(edit.line, said) for edit, said in meanings(program, both)] == [(9, "element"), (17, "number")]


def test_repairs_that_say_different_things_say_nothing() -> None:
    index, other = repair((9, "/ 2", "/ 3")), repair((17, "0.5", "0.25"))
    assert said(index, repair((6, "u_size.y", "u_size.x"))) == "element"
    assert said(index, other) is None
    assert said(repair((9, "/ 2", "/ 3"), (17, "0.5", "0.25"))) is None
    assert said(Repair((LineEdit("a.frag", 9, None, "    int k = 1;"),), "", 1, 1)) is None


TAPS = """\
#version 330
uniform sampler2D image, other;
out vec4 result;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float a = texelFetch(image, p, 0).x, b = texelFetch(image, p + 1, 0).x, c = texelFetch(other, p, 0).x;
    vec4 m = texelFetch(image, p, 0), few = vec4(0.0);
    few.z += dot(m.xyz, m.xyz);
    result = few + max(a, a) + max(c, c);
    result += vec4(0.5, -0.25, 0.125, 1.5) * texelFetch(image, p.xx, 0);
}
"""


@pytest.mark.parametrize(
    ("line", "old", "new", "expected"),
    [
        (8, "dot(m.xyz, m.xyz)", "dot(m, m)", "lanes"),
        (8, "few.z", "few.y", "element"),
        (9, "max(a, a)", "max(a, b)", "left out"),
        (9, "max(c, c)", "max(c, b)", "partner"),  # of another texture
        (9, "few + max(a, a)", "few + max(a, c)", "partner"),
        (9, "few + max(a, a) + max(c, c)", "few + max(a + max(c, c), a)", "before"),
        (9, "result =", "result +=", "set"),
        (10, "0.5, -0.25, 0.125", "-0.5, 0.75, 0.25", "number"),  # a row of a table
        (10, "p.xx", "p", "element"),  # lanes of an address
    ],
)
def test_lanes_and_reads_that_are_left_out(line: int, old: str, new: str, expected: str) -> None:
    lines = TAPS.split("\n")
    edit = LineEdit("a.frag", line, lines[line - 1], lines[line - 1].replace(old, new))
    program = ProgramSource(TAPS, (SourceFile(0, "a.frag", TAPS),))
    assert meaning(program, (Repair((edit,), "", 1, 1),)) == expected


def test_what_a_longer_repair_does_not_say_leaves_the_shortest_one_its_word() -> None:
    silent, index, number = repair((13, "sum +=", "sum -=")), repair((9, "/ 2", "/ 3")), repair((17, "0.5", "0.25"))
    assert said(index, silent) == "element"
    assert said(silent, index) is None
    assert said(index, number) is None


MACROS = """\
#version 330
uniform sampler2D image;
uniform int u_part;
const float k[18] = float[](0.5, 0.25);
#define WIDE(p) (2 * abs(p))
#define TAP(dx, dy) sum += k[u_part * 9 + dy * 3 + dx] * texelFetch(image, p + ivec2(dx, dy), 0).x
out vec4 result;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float sum = 0.0;
    TAP(0, 1);
    result = vec4(sum);
}
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("u_part * 9 + ", "", "element"), ("dy * 3 + dx", "dx * 3 + dy", "element"), (").x", ").y", "element")],
)
def test_what_a_macro_does_is_said_as_where_it_stands(old: str, new: str, expected: str) -> None:
    line = MACROS.split("\n")[5]
    repair = Repair((LineEdit("a.frag", 6, line.replace(old, new), line),), "", 1, 1)
    text = MACROS.replace(line, line.replace(old, new))
    assert meaning(ProgramSource(text, (SourceFile(0, "a.frag", text),)), [repair]) == expected


def test_what_a_macro_is_called_with_says_where_only_if_it_reads() -> None:
    for body, expected in (("mix(a, b, t)", None), ("texelFetch(image, ivec2(a + b, t), 0).x", "element")):
        text = SHADER.replace("const float", f"#define PUT(a, b, t) {body}\nconst float")
        text = text.replace("sum * 0.5", "PUT(sum, best, sum * best)")
        program, lines = ProgramSource(text, (SourceFile(0, "a.frag", text),)), text.split("\n")
        line = next(at for at, each in enumerate(lines) if "PUT(sum" in each)
        edit = LineEdit("a.frag", line + 1, lines[line], lines[line].replace("sum * best", "sum + best"))
        assert meaning(program, [Repair((edit,), "", 1, 1)]) == expected
