"""What a repair says was wrong: an element, a function, a number, or nothing that has a name."""

from __future__ import annotations

import pytest

from pipeline.compare.repairs import LineEdit, Repair
from pipeline.plan import ProgramSource, SourceFile
from pipeline.repair.meaning import meaning

SHADER = """\
#version 330
uniform sampler2D image;
uniform ivec2 u_size;
const float SLOPE = 0.25;
out vec4 result;
float get(int c, int y, int x) { return texelFetch(image, ivec2(x, y + c * u_size.y), 0).x; }
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int row = p.y / 2;
    float best = -1e30, sum = 0.0;
    for (int c = 0; c < 4; c++) {
        best = max(best, get(c, row, p.x));
        sum += SLOPE * get(c, p.y, p.x);
    }
    if (p.x > 2) sum = 0.0;
    vec4 four = texelFetch(image, p, 0);
    result = vec4(best, sum * 0.5, four.y, float(row));
}
"""


def repair(*edits: tuple[int, str, str]) -> Repair:
    lines = SHADER.split("\n")
    made = tuple(
        LineEdit("a.frag", line, lines[line - 1], lines[line - 1].replace(old, new)) for line, old, new in edits
    )
    assert all(edit.before != edit.after for edit in made)
    return Repair(made, "", 1, 1)


def said(*repairs: Repair) -> str | None:
    return meaning(ProgramSource(SHADER, (SourceFile(0, "a.frag", SHADER),)), repairs)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ((9, "/ 2", "/ 3"), "element"),
        ((6, "u_size.y", "u_size.x"), "element"),
        ((6, "ivec2(x, y", "ivec2(y, y"), "element"),
        ((13, "p.y, p.x", "p.x, p.y"), "element"),
        ((17, "four.y", "four.z"), "element"),
        ((12, "max(", "min("), "function"),
        ((4, "0.25", "0.1"), "number"),
        ((17, "0.5", "0.25"), "number"),
        ((11, "c < 4", "c < 3"), None),  # how often, which has names of its own
        ((11, "c = 0", "c = 1"), None),
        ((15, "p.x > 2", "p.x > 3"), None),  # whether
        ((10, "-1e30", "-5.0"), None),  # a beginning that other values replace
        ((13, "sum +=", "sum -="), None),
    ],
)
def test_one_edit_says(edit: tuple[int, str, str], expected: str | None) -> None:
    assert said(repair(edit)) == expected


def test_repairs_that_say_different_things_say_nothing() -> None:
    index, other = repair((9, "/ 2", "/ 3")), repair((17, "0.5", "0.25"))
    assert said(index, repair((6, "u_size.y", "u_size.x"))) == "element"
    assert said(index, other) is None
    assert said(repair((9, "/ 2", "/ 3"), (17, "0.5", "0.25"))) is None
    assert said(Repair((LineEdit("a.frag", 9, None, "    int k = 1;"),), "", 1, 1)) is None
