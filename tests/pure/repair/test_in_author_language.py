"""Edits of translated text are written into the author's line in the author's words, or not at all."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.text.in_author_language import in_author_language, says_the_same

HLSL = """\
void Run(uint3 id : SV_DispatchThreadID)
{
    float w = Kernel[(id.z * Channels + c) * 3 + k];
    int2 p = int2(id.xy) + int2(kx, ky);
    sum += lerp(w, Input[id.x], 0.5f);
    for (uint i = 0; i < Channels - 1; ++i)
    v += mul(M[mul(i, 2)], v) * max(w, 0);
}
"""
ROWS = {
    3: "    float w = Kernel_elements[uint((gl_GlobalInvocationID.z * Channels + c) * 3U + uint(k))];",
    4: "    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + ivec2(kx, ky);",
    5: "    sum = sum + mix(w, Input_elements[uint(gl_GlobalInvocationID.x)], 0.5);",
    6: "    for(uint i = 0U; i < (Channels - 1U); i++) {",
    7: "    v = v + ((v * (M[i * 2])) * max(w, 0.0));",
}
TEXT = "#version 430 core\n" + "".join(f"#line {number} 0\n{row}\n" for number, row in ROWS.items())
PROGRAM = ProgramSource(TEXT, (SourceFile(0, "net.hlsl", HLSL),))


@pytest.mark.parametrize(
    ("number", "old", "new", "expected"),
    [
        (3, "* 3U + uint(k)", "* 3U + uint(c)", "    float w = Kernel[(id.z * Channels + c) * 3 + c];"),
        (4, "ivec2(kx, ky);", "ivec2(kx, ky) - 1;", "    int2 p = int2(id.xy) + int2(kx, ky) - 1;"),
        (4, "ivec2(kx, ky)", "ivec2(ky, kx)", "    int2 p = int2(id.xy) + int2(ky, kx);"),
        (5, "mix(w", "mix(gl_GlobalInvocationID.y", "    sum += lerp(id.y, Input[id.x], 0.5f);"),
        (5, "0.5)", "0.25)", "    sum += lerp(w, Input[id.x], 0.25);"),
        (6, "(Channels - 1U)", "(Channels)", "    for (uint i = 0; i < Channels; ++i)"),
        # The author has no such addition in the line.
        (5, "sum + mix", "sum - mix", None),
    ],
)
def test_an_edit_is_written_by_its_tokens(number: int, old: str, new: str, expected: str | None) -> None:
    row = ROWS[number]
    assert old in row
    found = [*in_author_language(PROGRAM, (LineEdit("net.hlsl", number, row, row.replace(old, new)),))]
    line = HLSL.split("\n")[number - 1]
    assert found == ([] if expected is None else [(LineEdit("net.hlsl", number, line, expected),)])


def test_factors_of_a_product_are_exchanged_in_the_call_that_it_is() -> None:
    edit = LineEdit("net.hlsl", 7, ROWS[7], "    v = v + ((((M[i * 2])) * (v)) * max(w, 0.0));")
    found = [after for (written,) in in_author_language(PROGRAM, (edit,)) if (after := written.after) is not None]
    assert found == [
        "    v += mul(v, M[mul(i, 2)]) * max(w, 0);",
        "    v += mul(M[mul(2, i)], v) * max(w, 0);",
    ]


def test_a_line_that_is_inserted_or_goes_has_no_place() -> None:
    assert [*in_author_language(PROGRAM, (LineEdit("net.hlsl", 4, ROWS[4], None),))] == []
    assert [*in_author_language(PROGRAM, (LineEdit("net.hlsl", 4, None, ROWS[4]),))] == []


def test_translations_that_say_the_same_are_told_from_others() -> None:
    text = "#line 3 0\nx = a + (b * 2U);\n"
    assert says_the_same(text, "#line 5 0\n  x = a + b * 2;\n")
    assert not says_the_same(text, "x = a - b * 2U;\n")
    assert says_the_same("y[uint(id.x)] = a[uint(i + 1)];", "y[id.x] = a[i + 1];")
    assert not says_the_same("y = uint(x);", "y = x;")


def test_blocks_may_be_declared_in_another_order_and_functions_may_not() -> None:
    a, b = "layout(std430) buffer A { float a[]; };\n", "layout(std430) buffer B { float b[]; };\n"
    main = "void main() { a[0] = b[0]; }\n"
    assert says_the_same(a + b + main, b + a + main)
    assert not says_the_same(a + b + main, a + b.replace("float", "uint") + main)
    assert not says_the_same("void f() { g(); }\nvoid h() { }\n", "void f() { }\nvoid h() { g(); }\n")
