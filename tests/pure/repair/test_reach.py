"""What else a shader may have meant to say: fields, lanes, bounds, what it declares and never uses, other groupings."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant

HEAD = """\
#version 330
struct Shape { int n, c, h, w; float scale; };
uniform sampler2D image, bias;
uniform ivec3 u_size;
uniform float u_slope;
const int GROUP = 2;
out vec4 result;
"""


def edits(body: str, head: str = HEAD, sizes: tuple[float, ...] = ()) -> tuple[Mutant, ...]:
    text = head + body
    return MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),))).edits((), sizes)


def said(body: str, head: str = HEAD, sizes: tuple[float, ...] = ()) -> set[tuple[str, str]]:
    return {(each.proposal.old, each.proposal.new) for each in edits(body, head, sizes)}


def test_another_field_of_a_structure_and_of_a_block_is_taken_where_it_has_the_same_type() -> None:
    found = said(
        "int row(Shape s, int y) { return y * s.w; }\nvoid main() { result = vec4(row(Shape(1, 2, 3, 4, 1.0), 1)); }"
    )
    assert {("s.w", f"s.{field}") for field in "nch"} <= found
    assert ("s.w", "s.scale") not in found
    block = "layout(std140) uniform Sizes { int w, h; float k; } p;\n"
    found = said("void main() { result = vec4(p.w * 2); }", HEAD + block)
    assert ("p.w", "p.h") in found
    assert ("p.w", "p.k") not in found


def test_what_is_declared_behind_or_calls_itself_is_not_put_there() -> None:
    body = "int at(int k) { return k * 4; }\nconst int LATER = 7;\nint after(int i) { return i; }\n"
    found = said(body + "void main() { result = vec4(at(1) + after(LATER)); }")
    assert ("k", "LATER") not in found
    assert ("i", "LATER") in found
    assert not any(old.startswith("k") and "after(" in new for old, new in found)
    assert ("at(1)", "after(1)") in found
    twice = "float f(float v) { return v; }\nfloat g(float v) { return f(v); }\n"
    assert ("f(v)", "g(v)") not in said(twice + "void main() { result = vec4(g(1.0) + f(2.0)); }")


def test_a_macro_does_not_come_to_mean_itself() -> None:
    body = "#define STEP 2\n#define WIDE (STEP * 3)\nvoid main() { int i = STEP + WIDE; result = vec4(i); }"
    found = said(body)
    assert not any(old == "2" and ("STEP" in new or "WIDE" in new) for old, new in found)
    assert ("STEP", "GROUP") in found


def test_what_may_only_be_written_is_not_added_to() -> None:
    head = "#version 430\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) %sbuffer Out { float y[]; };\n"
    body, added = "void main() { y[0] = 1.0; }", ("y[0] = 1.0;", "y[0] += 1.0;")
    assert added in said(body, head % "")
    found = said(body, head % "writeonly ")
    assert added not in found
    assert not any("gl_FragCoord" in new for _, new in found)


def test_lanes_come_by_an_index_and_four_of_them_as_two_and_two() -> None:
    found = said("void main() { vec4 a = texture(image, vec2(0.5)); int k = u_size.x; result = a.xyzw * a.x; }")
    assert {("a.xyzw", "a.zwzw"), ("a.xyzw", "a.xxyy"), ("a.x", "a[k % 4]")} <= found


def test_an_argument_that_is_written_to_stays_and_the_others_may_be_others() -> None:
    body = "void split(int i, out int q) { q = i / 4; }\nvoid main() { int i = 1, q; split(i, q); result = vec4(q); }"
    found = said(body)
    assert ("i", "u_size.x") in found
    assert ("q", "i") not in {pair for pair in found if pair[0] == "q" and pair[1] == "u_size.x"}
    made = edits(body)
    call = (HEAD + body).index("split(i, q)")
    assert not any(each.proposal.start == call + len("split(i, ") for each in made)


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        ("int i = 3 + u_size.x * 4; result = vec4(i);", "3 + u_size.x * 4", "(3 + u_size.x) * 4"),
        ("int i = (3 + u_size.x) * 4; result = vec4(i);", "(3 + u_size.x) * 4", "3 + u_size.x * 4"),
        ("int i = u_size.x % GROUP; result = vec4(i);", "u_size.x % GROUP", "u_size.x"),
        ("float v = sqrt(u_slope) + 0.1; result = vec4(v);", "sqrt(u_slope) + 0.1", "sqrt(u_slope + 0.1)"),
        ("float v = tanh(u_slope) * 3.0; result = vec4(v);", "tanh(u_slope) * 3.0", "tanh(u_slope * 3.0)"),
        ("float v = exp(u_slope * 3.0); result = vec4(v);", "exp(u_slope * 3.0)", "exp(u_slope) * 3.0"),
        ("float v = u_slope * result.x; result = vec4(v);", "u_slope", "tanh(u_slope)"),
        ("if (u_size.x < 0) discard; result = vec4(0.0);", "u_size.x < 0", "(u_size.x < 0 || u_size.x >= u_size.y)"),
        ("if (u_size.x >= 3) discard; result = vec4(0.0);", "u_size.x >= 3", "(u_size.x < 0 || u_size.x >= 3)"),
        ("float m = 0.0; m = max(m, u_slope); result = vec4(m);", "m = max(m, u_slope);", "m += u_slope;"),
        ("float m = 0.0; m += u_slope; result = vec4(m);", "m += u_slope;", "m = max(m, u_slope);"),
        ("result = vec4(dot(result.xyz, result.xyz));", "dot(result.xyz, result.xyz)", "dot(result, result)"),
        ("float v = u_slope; result = vec4(v);", "u_slope", "(u_slope) / sqrt(6.0)"),
    ],
)
def test_parts_are_put_together_otherwise(body: str, old: str, new: str) -> None:
    assert {(old, new), (old, f"({new})")} & said(f"void main() {{ {body} }}", sizes=(6.0,))


def test_what_is_declared_and_never_used_is_put_in() -> None:
    body = "void main() { int x = u_size.x; float v = texelFetch(image, ivec2(x, 0), 0).x; result = vec4(v * 2.0); }"
    found = said(body)
    read = "texelFetch(image, ivec2(x, 0), 0).x"
    assert (read, f"({read} + texelFetch(bias, ivec2(x, 0), 0).x)") in found
    assert ("v", "((v) * u_slope)") in found
    used = body.replace("v * 2.0", "v * u_slope + texelFetch(bias, ivec2(0), 0).x")
    assert ("v", "((v) * u_slope)") not in said(used)
    function = "float extra(int i) { return float(i); }\n"
    assert ("1.0", "1.0 + extra(x)") in said(
        function + "void main() { int x = 1; float v = 1.0; result = vec4(v, x, 0, 0); }"
    )


def test_a_loop_keeps_what_is_declared_inside() -> None:
    body = "float s = 0.0; for (int i = 0; i < 3; i++) { float t = float(i); s += t; } result = vec4(s);"
    assert not any(new.rstrip().endswith("} s += t;") for _, new in said(f"void main() {{ {body} }}"))
    outside = body.replace("float t = float(i); s += t;", "s += 1.0; s *= 2.0;")
    assert any(new.rstrip().endswith("} s *= 2.0;") for _, new in said(f"void main() {{ {outside} }}"))


def test_what_stands_between_conditions_of_the_preprocessor_is_text_like_any_other() -> None:
    body = "void main() {\n#ifdef RELU\n    float v = 3.0;\n#else\n    float v = 4.0;\n#endif\n    result = vec4(v);\n}"
    found = said(body)
    assert {("3.0", "4.0"), ("4.0", "3.0")} <= found
    assert not any(old == "RELU" for old, _ in found)


def test_of_an_array_of_arrays_a_row_is_no_number() -> None:
    body = "float t[2][3];\nvoid main() { float v = t[1][2]; result = vec4(v); }"
    found = said(body)
    assert ("t[1][2]", "t[1][2] + 1.0") in found
    assert not any(old == "t[1]" for old, _ in found)
