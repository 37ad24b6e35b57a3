"""The lines of a repair as they are shown."""

from __future__ import annotations

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.viewer.findings.repair_card import ShownLine, shown_lines

BEFORE = "\t\tvec2 at = position + (offset + 1.0) * input_texel;"
EDIT = LineEdit("a.frag", 36, BEFORE, BEFORE.replace("(offset + 1.0)", "offset"))


def test_the_common_indentation_is_left_out() -> None:
    assert shown_lines(EDIT, 80) == (
        ShownLine("gone", "vec2 at = position + (offset + 1.0) * input_texel;"),
        ShownLine("new", "vec2 at = position + offset * input_texel;"),
    )
    deeper = LineEdit("a.frag", 3, "  x;", "    if (y) x;")
    assert [line.text for line in shown_lines(deeper, 80)] == ["x;", "  if (y) x;"]


def test_where_there_is_little_room_what_is_another_stays_in_sight() -> None:
    assert shown_lines(EDIT, 30) == (
        ShownLine("gone", "…position + (offset + 1.0) * …"),
        ShownLine("new", "…position + offset * input_te…"),
    )
    for letters in range(60):
        assert all(len(line.text) <= max(letters, 2) for line in shown_lines(EDIT, letters))


def test_a_line_that_comes_or_goes_stands_alone() -> None:
    assert shown_lines(LineEdit("a", 1, None, "  x;"), 80) == (ShownLine("new", "x;"),)
    assert shown_lines(LineEdit("a", 1, "  x;", None), 80) == (ShownLine("gone", "x;"),)
    assert shown_lines(LineEdit("a", 1, "x\x1b[31m", ""), 80)[0].text == "x\\x1b[31m"
