"""The lines of a finding: where its value is used, and where it is made, which is claimed only if it is known."""

from __future__ import annotations

import dataclasses

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.viewer.findings.lines import LOOKING, USED, found_lines, search_words

FINDING = Finding("shift", {}, 1.0, 0.0, "a.frag", 44, "It reads right.", "Read left.", sure=True)
REPAIR = Repair((LineEdit("a.frag", 36, "x", "y"),), "", 16, 4)


@pytest.mark.parametrize(
    ("changes", "repairs", "is_looking", "words"),
    [
        ({}, (), True, LOOKING),
        ({}, (), False, USED),
        ({"line": None}, (), True, LOOKING),
        ({"line": None}, (), False, ""),
        ({"made": ("a.frag", 36)}, (), True, ""),
        ({}, (REPAIR,), True, ""),
        ({"repair": REPAIR}, (), False, ""),
    ],
)
def test_what_is_said_beside_the_line_of_use(
    changes: dict[str, object], repairs: tuple[Repair, ...], is_looking: bool, words: str
) -> None:
    finding = dataclasses.replace(FINDING, **changes)  # type: ignore[arg-type]
    assert search_words(finding, repairs, is_looking=is_looking) == words


def test_a_line_is_marked_as_the_one_to_change_only_with_evidence() -> None:
    (used,) = found_lines([FINDING], "a.frag", is_looking=True)
    assert (used.line, used.kind) == (44, "used")
    assert used.message == "shift shows here. Looking for the line to change. Read left."
    (ended,) = found_lines([FINDING], "a.frag")
    assert (ended.line, ended.kind, ended.message) == (44, "used", "shift shows here. Read left.")
    known = dataclasses.replace(FINDING, made=("a.frag", 36))
    assert {each.line: each.kind for each in found_lines([known], "a.frag")} == {36: "made", 44: "used"}
    one = dataclasses.replace(FINDING, made=("a.frag", 44))
    assert {each.line: each.kind for each in found_lines([one], "a.frag")} == {44: "made"}
    repaired = found_lines([FINDING], "a.frag", [REPAIR])
    assert {each.line: each.kind for each in repaired} == {36: "made", 44: "used"}
