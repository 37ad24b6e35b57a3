"""The shorter a repair, the likelier it says what was meant: a number that comes out of nowhere makes it longer."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.text.preferred import Sources, length

ROWS = (
    "#version 430",
    "float at(int y, int x) {",
    "    return w[y * 3 + x];",
    "}",
    "void main() {",
    "    ivec2 p = ivec2(kx, ky);",
    "    sum += at(kx, ky) * image(p);",
    "}",
)
TEXT = "\n".join(ROWS)
SOURCES = Sources(ProgramSource(TEXT, (SourceFile(0, "a.comp", TEXT),)))


def repair(line: int, old: str, new: str) -> Repair:
    before = ROWS[line - 1]
    assert old in before
    return Repair((LineEdit("a.comp", line, before, before.replace(old, new)),), "", 1, 1)


IN_FUNCTION, AT_DEFINITION, AT_USE = (
    repair(3, "y * 3 + x", "x * 3 + y"), repair(6, "kx, ky", "ky, kx"), repair(7, "kx, ky", "ky, kx"),
)  # fmt: skip


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


def test_all_exchanges_of_two_words_are_equally_long() -> None:
    near = letters("p = ivec2(kx, ky);", "p = ivec2(ky, kx);")
    assert near == letters("w = k[(c * 3 + ky) * 3 + kx];", "w = k[(c * 3 + kx) * 3 + ky];")
    assert near < letters("p = ivec2(kx, ky);", "p = ivec2(kx + step, ky);")


def test_a_definition_comes_first_but_not_before_an_exchange_on_the_line_that_is_blamed() -> None:
    assert SOURCES.ordered((AT_USE, AT_DEFINITION)) == (AT_DEFINITION, AT_USE)
    assert SOURCES.ordered((AT_USE, AT_DEFINITION), {("a.comp", 7)}) == (AT_USE, AT_DEFINITION)


def test_a_call_comes_before_a_function_whose_parameters_are_in_their_order() -> None:
    assert SOURCES.reorders(IN_FUNCTION)
    assert not SOURCES.reorders(AT_USE)
    assert SOURCES.ordered((AT_USE, IN_FUNCTION)) == (AT_USE, IN_FUNCTION)
