"""The lines of a repair as they are shown."""

from __future__ import annotations

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.viewer.findings.repair_card import ShownLine, shown_lines

BEFORE = "\t\tvec2 at = position + (offset + 1.0) * input_texel;"
EDIT = LineEdit("a.frag", 36, BEFORE, BEFORE.replace("(offset + 1.0)", "offset"))


def test_the_common_indentation_is_left_out() -> None:
    assert shown_lines(EDIT, 80) == (
        ShownLine("gone", ("vec2 at = position + (offset + 1.0) * input_texel;",)),
        ShownLine("new", ("vec2 at = position + offset * input_texel;",)),
    )
    deeper = LineEdit("a.frag", 3, "  x;", "    if (y) x;")
    assert [line.rows for line in shown_lines(deeper, 80)] == [("x;",), ("  if (y) x;",)]


def test_where_there_is_little_room_lines_are_wrapped_and_nothing_of_them_is_left_out() -> None:
    assert shown_lines(EDIT, 30) == (
        ShownLine("gone", ("vec2 at = position + (offset +", "    1.0) * input_texel;")),
        ShownLine("new", ("vec2 at = position + offset *", "    input_texel;")),
    )
    for letters in range(60):
        for line, text in zip(shown_lines(EDIT, letters), (BEFORE, str(EDIT.after)), strict=True):
            assert all(len(row) <= max(letters, 1) for row in line.rows)
            assert "".join("".join(line.rows).split()) == "".join(text.split())


def test_a_line_that_comes_or_goes_stands_alone() -> None:
    assert shown_lines(LineEdit("a", 1, None, "  x;"), 80) == (ShownLine("new", ("x;",)),)
    assert shown_lines(LineEdit("a", 1, "  x;", None), 80) == (ShownLine("gone", ("x;",)),)
    assert shown_lines(LineEdit("a", 1, "x\x1b[31m", ""), 80) == (
        ShownLine("gone", ("x\\x1b[31m",)),
        ShownLine("new", ("",)),
    )
