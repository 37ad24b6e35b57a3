"""Two things otherwise at once, what is done beyond borders, steps of loops, and constants of GLSL ES."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import programs
from texelscope.pipeline.repair.text.mutation import Kind
from texelscope.pipeline.repair.text.preferred import Sources

HEAD = """\
#version 330
uniform sampler2D image;
uniform ivec3 u_size;
uniform float u_slope;
const int GROUP = 2;
out vec4 result;
"""


def program(body: str, head: str = HEAD) -> ProgramSource:
    return ProgramSource(head + body, (SourceFile(0, "a.frag", head + body),))


def edits(body: str, head: str = HEAD, scalars: tuple[float, ...] = ()) -> tuple[Mutant, ...]:
    return MutableProgram(program(body, head)).edits((), (), (), scalars)


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        ("int k = 7; result = vec4(k / u_size.x, k % u_size.x, 0, 1);", "vec4(k / u_size.x, k % u_size.x, 0, 1)",
         "vec4(k / u_size.y, k % u_size.y, 0, 1)"),
        ("int d = 1; int h = 2; int c = d * 3 + h; result = vec4(c);", "d * 3 + h", "(h * u_size.x + d)"),
        ("float s = 1.0; float v = s / u_slope - s; result = vec4(v);", "s / u_slope - s", "((s - s) / u_slope)"),
        ("float s = 1.0; float v = s / u_slope + 0.5; result = vec4(v);", "s / u_slope + 0.5", "(s / (u_slope + 0.5))"),
        ("float s = 1.0; float v = s / (u_slope + 0.5); result = vec4(v);", "s / (u_slope + 0.5)",
         "(s / u_slope + 0.5)"),
        ("float s = 1.0; float v = u_slope * (s + 2.0); result = vec4(v);", "u_slope * (s + 2.0)",
         "(s + u_slope * 2.0)"),
        ("float s = 1.0; float v = clamp(0.2 * s + 0.5, 0.0, 1.0); result = vec4(v);",
         "clamp(0.2 * s + 0.5, 0.0, 1.0)", "1.0 / (1.0 + exp(-s))"),
        ("float s = 1.0; float v = 1.0 / (1.0 + exp(-s)); result = vec4(v);", "1.0", "s"),
        ("float s = 1.0; float n = 9.0; result = vec4(s / 9.0);", "9.0", "n"),
        ("int c = 1; int i = GROUP + c; result = vec4(i);", "GROUP + c", "c"),
        ("vec4 a = vec4(1.0); result = vec4(a.x + a.y + a.z);", "a.x + a.y + a.z", "a.x + a.y + a.z + a.w"),
        ("float m = 1.0; float v = m / u_slope; result = vec4(v);", "m / u_slope", "m / u_slope - m * m"),
        ("vec4 v = texelFetch(image, ivec2(0), 0); float inv = 2.0; result = v;", "v", "(v) * inv"),
        ("int c = int(gl_FragCoord.x); int i = c; result = vec4(i);", "c", "max(c - GROUP / 2, 0)"),
    ],
)  # fmt: skip
def test_one_slip_that_two_places_tell_of(body: str, old: str, new: str) -> None:
    assert (old, new) in {(each.proposal.old, each.proposal.new) for each in edits(f"void main() {{ {body} }}")}


ZERO = "if (any(lessThan(p, ivec2(0))) || any(greaterThan(p, u_size.xy - 1))) return float(0.0);"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p = clamp(p, ivec2(0), u_size.xy - 1);", ZERO),
        ("p = clamp(p, ivec2(0), u_size.xy - 1);", "p = (u_size.xy - 1) - abs((u_size.xy - 1) - abs(p));"),
        ("if (p.x < 0 || p.x >= u_size.x) return 0.0;", "p.x = clamp(p.x, 0, u_size.x - 1);"),
    ],
)
def test_beyond_a_border_something_else_counts(old: str, new: str) -> None:
    body = f"float at(ivec2 p) {{ {old} return float(p.x); }}\nvoid main() {{ result = vec4(at(ivec2(1))); }}"
    assert (old, new) in {(each.proposal.old, each.proposal.new) for each in edits(body)}


def test_a_loop_may_have_forgotten_to_move_something_on() -> None:
    loop = "for (int i = 0; i < 3; i++) { s += texelFetch(image, ivec2(k, 0), 0).x; }"
    body = f"void main() {{ int k = 0; float s = 0.0; {loop} result = vec4(s); }}"
    text = MutableProgram(program(body))
    done = {text.edited((each,)) for each in text.edits(())}
    assert HEAD + body.replace("0).x; }", "0).x; k += 4; }") in done
    moved = body.replace("0).x; }", "0).x; k += 1; }")
    assert not any("k += 4;" in each.proposal.new for each in edits(moved))


def test_a_number_of_the_model_stands_in_place_of_one_that_is_written_and_is_not_added() -> None:
    made = {
        (each.proposal.old, each.proposal.new) for each in edits("void main() { result = vec4(0.5); }", HEAD, (2.75,))
    }
    assert ("0.5", "2.75") in made
    assert not any("+ 2.75" in new for _, new in made)


def test_what_is_left_out_is_put_in_early_where_that_is_known() -> None:
    every = edits("void main() {\n    float v = texelFetch(image, ivec2(0), 0).x;\n    result = vec4(v);\n}\n")
    line = ("a.frag", 8)
    for kinds in (frozenset[Kind](), frozenset[Kind]({"put in"})):
        early = {each.proposal.new for rank, some in programs(every, [line], kinds) for each in some if rank <= 1}
        assert ("max(texelFetch(image, ivec2(0), 0).x, 0.0)" in early) is bool(kinds)


ES = """\
#version 300 es
precision highp float;
const float PAD = 2.0;
const float TWICE = PAD * 2.0; // said once
const ivec2 PADS = ivec2(0, 1);
const int N = 3;
out vec4 c;
struct P { int PADS; };
"""


def test_a_constant_of_es_is_what_a_macro_says_where_its_name_is_nothing_else_s() -> None:
    text = MutableProgram(program("void main() { float w[N]; c = vec4(PAD + TWICE); }", ES))
    every = text.edits(())
    assert {each.line[1] for each in every if each.is_setting} == {3, 4}  # the others are a field's, and a size
    made = text.schemata([each for each in every if each.is_setting][:1]).program.fragment
    assert "\n#define PAD (/*const float PAD = */(texelscope_is(1) ? " in made
    untouched = text.schemata([each for each in every if not each.is_setting][:1]).program.fragment
    assert "\nconst float PAD = 2.0;\n" in untouched


FUNCTION = "float twice(float v) {\n    return v + v;\n}\n"
MADE_AND_USED = program(FUNCTION + "void main() {\n    float s = u_slope;\n    result = vec4(twice(s));\n}\n")


@pytest.mark.parametrize(
    ("line", "after", "other", "is_first"),
    [
        (11, "    float s = sqrt(u_slope);", "    result = vec4(twice(sqrt(s)));", True),
        (8, "    return v + v + 1.0;", "    result = vec4(twice(s) + 1.0);", True),
        (11, "    float s = sqrt(u_slope);", "    result = vec4(twice(s) + texelFetch(image, ivec2(0), 0).x);", False),
    ],
    ids=["made above", "in the function", "something is forgotten"],
)
def test_where_a_value_is_made_comes_before_where_it_is_used(line: int, after: str, other: str, is_first: bool) -> None:
    before = MADE_AND_USED.fragment.split("\n")
    used = Repair((LineEdit("a.frag", 12, before[11], other),), "", 1, 1)
    made = Repair((LineEdit("a.frag", line, before[line - 1], after),), "", 1, 1)
    assert Sources(MADE_AND_USED).ordered((used, made))[0] is (made if is_first else used)


OLD = "#version 100\nprecision highp float;\nuniform sampler2D image;\n"


def test_an_old_version_is_asked_for_nothing_that_it_lacks() -> None:
    body = "void main() { int i = 3; float v = floor(gl_FragCoord.x); vec4 w = vec4(v); gl_FragColor = w.xxyy * v; }"
    texts = [each.proposal.template for each in edits(body, OLD)]
    assert not [each for each in texts if "%" in each or "tanh" in each or "round(" in each or "trunc(" in each]
    assert not [each for each in texts if each.startswith("max(i,")]  # there it is of floats alone
    squashed = [each for each in edits(body, OLD) if each.proposal.new == "(1.0 - 2.0 / (exp(2.0 * (v)) + 1.0))"]
    assert squashed
    own = body.replace("void", "float tanh(float x) { return x; }\nvoid")
    assert "tanh(v)" in {each.proposal.new for each in edits(own, OLD)}


def test_a_sign_belongs_to_a_whole_number() -> None:
    body = "void main() { int i = gl_FragCoord.x < 1.0 ? -1 : 1; result = vec4(i); }"
    assert not {"-2.0", "max(-1, 0.0)"} & {each.proposal.new for each in edits(body) if each.proposal.old == "-1"}
    assert "-2" in {each.proposal.new for each in edits(body) if each.proposal.old == "-1"}
