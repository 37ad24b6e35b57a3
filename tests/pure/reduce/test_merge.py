"""An edit of a generated shader has its place in the shader of other shapes."""

from __future__ import annotations

import pytest

from texelscope.pipeline.reduce.making import carried, is_edit

BASE = """\
// Conv makes y: 1 x 64 x 55 x 55
float compute(ivec4 at) {
    float sum = 0.0;
    for (int i = 0; i < 16; i++) {
        int x = at.w - 1;
        if (x < 0 || x >= 55) continue;
        sum += X(ivec4(at.x, i, at.z, x));
    }
    return sum / 880.0;
}
"""
OTHER = BASE.replace("64 x 55 x 55", "2 x 4 x 6").replace("i < 16", "i < 3").replace("55)", "6)").replace("880", "18")


@pytest.mark.parametrize(
    ("old", "new", "there"),
    [
        ("int x = at.w - 1;", "int x = at.w;", "int x = at.w;"),
        ("x >= 55", "x > 55", "x > 6)"),
        ("if (x < 0 || x >= 55) continue;", "x = clamp(x, 0, 54);", "x = clamp(x, 0, 5);"),
        ("i < 16;", "i < 15;", "i < 2;"),
        ("return sum / 880.0;", "return sum / 881.0;", "return sum / 19.0;"),
        ("    return", "    sum *= 0.5;\n    return", "sum *= 0.5;\n    return sum / 18.0;"),
        ("    for (int", "    // mine\n    for (int", "// mine\n    for (int i = 0; i < 3"),
        ("    float sum = 0.0;\n", "", "{\n    for (int i = 0; i < 3"),
    ],
)
def test_an_edit_is_carried_over_with_its_sizes(old: str, new: str, there: str) -> None:
    edited = BASE.replace(old, new)
    assert edited != BASE
    first = carried(BASE, edited, OTHER)[0]
    assert there in first
    assert is_edit(BASE, edited)


def test_an_edit_of_numbers_is_tried_as_it_was_written_too() -> None:
    guesses = carried(BASE, BASE.replace("i < 16", "i < 15"), OTHER)
    assert ["i < 2;" in guesses[0], "i < 15;" in guesses[1]] == [True, True]


def test_no_edit_leaves_the_other_shader_as_it_is() -> None:
    assert carried(BASE, BASE, OTHER) == (OTHER,)
    assert carried(BASE, BASE.replace("1 x 64 x 55 x 55", "my own words"), OTHER)


def test_an_edit_of_what_the_other_shapes_do_not_have_has_no_place() -> None:
    without = OTHER.replace("        if (x < 0 || x >= 6) continue;\n", "").replace("        int x = at.w - 1;\n", "")
    assert carried(BASE, BASE.replace("if (x < 0 || x >= 55)", "if (x <= 0)"), without) == ()


def test_another_shader_is_no_edit() -> None:
    assert not is_edit(BASE, "void main() { gl_FragColor = texture2D(t_x, v_uv) * 2.0; }")
