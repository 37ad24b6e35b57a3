"""The shorter a repair, the likelier it says what was meant: a number that comes out of nowhere makes it longer."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.repair.text.preferred import length


def letters(before: str, after: str) -> float:
    return length([LineEdit("a.frag", 1, before, after)])[1]


@pytest.mark.parametrize(
    ("before", "shorter", "longer"),
    [
        ("int c = at / 4;", "int c = at / 5;", "int c = at / 4 - 9;"),  # another number, and one more
        ("x = y;", "x = y + 1;", "x = y + 7;"),  # what anybody forgets, and what nobody has written
        ("x = y;", "x = y * 0.5;", "x = y * 0.3;"),
        ("x = y * z;", "x = y;", "x = w * z;"),  # what is taken away
    ],
)
def test_one_of_two_is_shorter(before: str, shorter: str, longer: str) -> None:
    assert letters(before, shorter) < letters(before, longer)


def test_fewer_lines_come_before_fewer_letters() -> None:
    one, two = LineEdit("a.frag", 1, "a", "bbbbbbbb"), LineEdit("a.frag", 2, "a", "b")
    assert length([one]) < length([two, two])
