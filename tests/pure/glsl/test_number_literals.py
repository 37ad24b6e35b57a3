"""The numbers written in a text: their values, whose their signs are, how precise they are, in linear time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from texelscope.pipeline.glsl.number_literals import number_literals


def test_floats_count_and_whole_numbers_only_beside_them() -> None:
    text = """#version 330
#define SLOPE -0.5
#define twice(a) -2.5e-1 * a  // 7.5
float a = .5f + x1 * y.x2; ivec2 at = ivec2(3, 4); /* 8.5 */
vec4 v = vec4(1, -2, 0.25, 0);"""
    literals = number_literals(text)
    assert literals.values.tolist() == [-0.5, -0.25, 0.5, 1.0, -2.0, 0.25, 0.0]
    assert [literals.written(number) for number in range(len(literals))] == [
        "-0.5", "-2.5e-1", ".5f", "1", "-2", "0.25", "0"
    ]  # fmt: skip
    assert len({*literals.lists[3:].tolist()}) == 1


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("a * 0.5;", -0.25, "a * -0.25;"),
        ("a - 0.5 * b;", 0.25, "a + 0.25 * b;"),
        ("a + 0.5f * b;", -1.0, "a - 1.0f * b;"),
        ("return -0.5;", 3e-9, "return 3e-09;"),
        ("vec2(a, -0.5)", 0.5, "vec2(a, 0.5)"),
    ],
)
def test_a_literal_is_replaced_with_its_sign(text: str, value: float, expected: str) -> None:
    literals = number_literals(text)
    (number,) = range(len(literals))
    for start, stop, new in reversed(literals.replaced(number, value)):
        text = text[:start] + new + text[stop:]
    assert text == expected


def test_a_zero_left_out_at_the_end_makes_a_number_no_less_precise() -> None:
    literals = number_literals("float[](0.1234, 0.5, 0.9876, 0.2345, 0.3456)")
    np.testing.assert_allclose(literals.tolerances, 0.51e-4, rtol=0.01)


@pytest.mark.parametrize("part", ["-1.5,\n", "1 ", "-", "- ", "1", "#define ", "1e", ".", "return -", "/*"])
def test_megabytes_are_read_in_linear_time(part: str) -> None:
    text = (part * (1 + (4 << 20) // len(part)))[: 4 << 20]
    start = time.process_time()
    number_literals(text)
    assert time.process_time() - start < 8.0
