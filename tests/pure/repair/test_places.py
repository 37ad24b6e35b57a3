"""Slips of several places: names of the other axis, values exchanged, summands behind a function, names said twice."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.operators.axis_names import canonical
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant

HEAD = """\
#version 330
uniform sampler2D image;
uniform ivec2 u_size;
uniform float u_slope;
out vec4 result;
"""

OF_ROWS = "if (r < 0. || r >= 9. || fract(r) > 0.) return;"


def editable(body: str) -> MutableProgram:
    text = HEAD + body
    return MutableProgram(ProgramSource(text, (SourceFile(0, "a.frag", text),)))


def texts(body: str) -> set[str]:
    """The bodies that come of the edits of one."""
    made = editable(body)
    return {made.edited((edit,)).removeprefix(HEAD) for edit in made.edits(())}


def together(body: str) -> list[Mutant]:
    """Edits of more than one place."""
    return [edit for edit in editable(body).edits(()) if edit.beside]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("int x0 = 0, x1 = 2, y0 = 0, y1 = 3; int area = (x1 - x0) * (x1 - x0);",
         "int x0 = 0, x1 = 2, y0 = 0, y1 = 3; int area = (x1 - x0) * (y1 - y0);"),
        ("int x = 1, y = 2, xx = 3, yy = 4; int k = (x - xx) * 2 + y - yy;",
         "int x = 1, y = 2, xx = 3, yy = 4; int k = (y - yy) * 2 + x - xx;"),
        ("ivec2 p = ivec2(1); int k = p.x * u_size.x + 1;", "ivec2 p = ivec2(1); int k = p.y * u_size.y + 1;"),
        ("float lo = 1.0, hi = 2.0; float c = lo * 2.0 - lo;", "float lo = 1.0, hi = 2.0; float c = hi * 2.0 - hi;"),
        ("int k = 2, gx = 1, gy = 2, pad = 1; int sx = gx + 1 - pad; int sy = gy * k + 1 - pad;",
         "int k = 2, gx = 1, gy = 2, pad = 1; int sx = gx * k + 1 - pad; int sy = gy * k + 1 - pad;"),
        (f"float r = 1.0, c = 2.0; {OF_ROWS} if (c < 0. || c >= 7.) return;",
         f"float r = 1.0, c = 2.0; {OF_ROWS} if (c < 0. || c >= 7. || fract(c) > 0.) return;"),
    ],
)  # fmt: skip
def test_what_is_said_of_one_axis_may_be_meant_of_the_other(wrong: str, right: str) -> None:
    assert f"void main() {{ {right} }}" in texts(f"void main() {{ {wrong} }}")


def test_names_of_both_axes_read_alike_and_only_what_is_in_scope_is_said() -> None:
    assert canonical("strideY") == canonical("strideX")
    assert canonical("u_height") == canonical("u_width")
    assert canonical("value") == "value"
    assert not any("sy" in text for text in texts("void main() { int sx = 1; result = vec4(sx * sx); }"))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("float v = s * 2.0; float y = (v > 0.0 ? v : 0.1 * v) + u_slope;",
         "float v = (s * 2.0) + u_slope; float y = v > 0.0 ? v : 0.1 * v;"),
        ("vec4 v = vec4(0); vec4 y = max(v, 0.0) + texelFetch(image, ivec2(0), 0);",
         "vec4 v = texelFetch(image, ivec2(0), 0); vec4 y = max(v, 0.0);"),
        ("float v = max(s, 0.0); float y = v + u_slope;", "float v = max(s + u_slope, 0.0); float y = v;"),
        ("float v = s; float b = 2.0; float y; y = max(v, 0.0) + b;",
         "float v = s; float b = 2.0; float y; v += b; y = max(v, 0.0);"),
    ],
)  # fmt: skip
def test_what_is_added_behind_a_function_may_belong_before_it(wrong: str, right: str) -> None:
    assert f"void main() {{ float s = 1.0; {right} }}" in texts(f"void main() {{ float s = 1.0; {wrong} }}")


def test_a_summand_is_not_put_where_it_is_not_known_yet() -> None:
    body = "void main() { float v = 1.0; float b = 2.0; float y = max(v, 0.0) + b; }"
    assert not any("float v = 1.0 + b" in text or "(1.0) + b" in text for text in texts(body))


def test_an_expression_that_stands_twice_may_have_a_name() -> None:
    body = "void main() { int k = 5; int pair = 1; result = vec4(k / 2, k / 2, 0, 1); }"
    assert "void main() { int k = 5; int pair = 1; result = vec4(pair, pair, 0, 1); }" in texts(body)


def test_two_values_and_two_macros_may_be_exchanged() -> None:
    body = "void main() { float s = 1.0; float a = s + 1.0; float b = sqrt(s); }"
    assert "void main() { float s = 1.0; float a = sqrt(s); float b = s + 1.0; }" in texts(body)
    made_of_the_other = "void main() { float s = 1.0; float a = s + 1.0; float b = sqrt(a); }"
    assert not any("float a = sqrt(a)" in text for text in texts(made_of_the_other))
    macros = "#define A (2.0 * u_slope)\n#define B (u_slope)\nvoid main() { result = vec4(A, B, 0, 1); }"
    assert "#define A (u_slope)\n#define B (2.0 * u_slope)\n" in {text[: text.index("void")] for text in texts(macros)}


def test_all_places_of_an_edit_have_one_number_in_its_program() -> None:
    body = "void main() { int k = 5; int pair = 1; result = vec4(k / 2, k / 2, 0, 1); }"
    edit = next(edit for edit in together(body) if edit.proposal.new == "pair")
    program = editable(body).schemata([edit]).program.fragment
    assert program.count(f"texelscope_is({edit.number}) ? ") == 2
