"""Marked loops are written out with their counter as a number."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.unrolling import unrolled
from texelscope.pipeline.plan import ProgramSource, SourceFile

NESTED = """\
for (int k = 0; k < PIXELS; k++) { // unrolled
    for (int q = 0; q < 2; q++) { // unrolled
        sum[k] += v[k + q];
    }
}
for (int k = 0; k < 3; k++) {
    keep[k] = 0.0;
}"""


def test_a_marked_loop_is_repeated_with_its_counter_as_a_number() -> None:
    lines = [line.strip() for line in unrolled(NESTED, {"PIXELS": 2}, 1).split("\n")]
    assert [line for line in lines if line.startswith("sum")] == [
        "sum[0] += v[0 + 0];",
        "sum[0] += v[0 + 1];",
        "sum[1] += v[1 + 0];",
        "sum[1] += v[1 + 1];",
    ]


def test_every_line_is_known_by_its_number_in_the_file() -> None:
    text = unrolled(NESTED, {"PIXELS": 2}, 1)
    program = ProgramSource(text, (SourceFile(1, "nested.glsl", NESTED),))
    told = dict.fromkeys(zip(line_map(program), text.split("\n"), strict=True))
    assert {number for (file, number), line in told if "sum[" in line and file == "nested.glsl"} == {3}
    assert {number for (file, number), line in told if "keep[" in line and file == "nested.glsl"} == {7}


def test_other_loops_stay() -> None:
    assert "for (int k = 0; k < 3; k++) {\n    keep[k] = 0.0;\n}" in unrolled(NESTED, {"PIXELS": 2}, 1)


def test_an_unknown_bound_is_a_mistake_that_is_told() -> None:
    with pytest.raises(AssertionError, match=r"PIXELS in 'for .* is not known"):
        unrolled(NESTED, {}, 1)


def test_a_loop_without_an_end_is_a_mistake_that_is_told() -> None:
    with pytest.raises(AssertionError, match="does not end"):
        unrolled("for (int k = 0; k < 3; k++) { // unrolled\n  x;", {}, 1)
