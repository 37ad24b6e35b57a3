"""Repairs in words: the piece of a line that is another reads as code by itself."""

from __future__ import annotations

import dataclasses

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.compare.words import (
    changed,
    edit_words,
    other_repairs,
    repair_words,
    repairs_of,
    surety_words,
)

EDIT = LineEdit("a.frag", 36, "    at = position + (offset + 1.0) * t;", "    at = position + (offset) * t;")
FINDING = Finding("shift", {}, 1.0, 0.0, "a.frag", 44, "e", "r")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("at = p + (offset + 1.0) * t;", "at = p + (offset) * t;", ("offset + 1.0", "offset")),
        ("at = p + (offset + 1.0) * t;", "at = p + offset * t;", ("(offset + 1.0)", "offset")),
        ("sum = x;", "sum += x;", ("sum = x", "sum += x")),
        ("for (int i = 0; i < 4; i++)", "for (int i = 0; i <= 4; i++)", ("i < 4", "i <= 4")),
        ("y = max(x, 0.0);", "y = x;", ("max(x, 0.0)", "x")),
        ("v = a.x;", "v = a.y;", ("a.x", "a.y")),
        ("a = q[i] / f(x, y);", "a = q[i] * f(x, y);", ("q[i] / f(x, y)", "q[i] * f(x, y)")),
        ("y = x;", "y = x + bias(o);", ("x", "x + bias(o)")),
        ("", "x", ("", "x")),
        ("+", "", ("+", "")),
        ("a)) = ((", "b(", ("a)) = ((", "b(")),
    ],
)
def test_the_piece_that_is_another(before: str, after: str, words: tuple[str, str]) -> None:
    assert changed(before, after) == words


def test_a_repair_says_its_lines_and_what_it_was_tried_on() -> None:
    repair = Repair((EDIT,), "", 16384, 4)
    said = "line 36: `offset + 1.0` -> `offset`; all 16,384 elements match, on 4 inputs"
    assert repair_words(repair, "a.frag") == said
    assert repair_words(repair) == f"a.frag {said}"
    put, gone = LineEdit("b.glsl", 3, None, "  if (x) y();"), LineEdit("b.glsl", 9, "z = 0;", None)
    both = dataclasses.replace(repair, edits=(put, gone), inputs_tried=1, sizes_tried=2)
    assert repair_words(both, "b.glsl") == (
        "line 3: insert `if (x) y();` before it, line 9: remove `z = 0;`; "
        "all 16,384 elements match, on this input alone and at 2 sizes"
    )
    assert edit_words(LineEdit("a", 1, "x = 1;", f"x = {'1 + ' * 99}1;")).count("…") == 1


def test_how_sure_a_finding_is() -> None:
    assert surety_words(FINDING) == ""
    assert surety_words(dataclasses.replace(FINDING, sure=True)) == "sure"
    assert surety_words(dataclasses.replace(FINDING, one_of=("stride",))) == "one of: shift, stride"
    assert surety_words(dataclasses.replace(FINDING, one_of=("stride", "shift"))) == "one of: stride, shift"


def test_a_finding_has_its_own_repair_first_and_what_no_finding_has_stands_alone() -> None:
    one, other = Repair((EDIT,), "1", 1, 1), Repair((EDIT,), "2", 1, 1)
    mended = dataclasses.replace(FINDING, repair=other)
    assert repairs_of(mended, (one, other)) == (other, one)
    assert repairs_of(FINDING, (one, other)) == ()
    assert other_repairs((mended,), (one, other)) == ()
    assert other_repairs((FINDING,), (one, other)) == (one, other)
