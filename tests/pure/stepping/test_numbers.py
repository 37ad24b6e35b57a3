"""Numbers as a person reads them, and as the machine has them."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.stepping.numbers import bits, colour_of, exact, exact_text, lane_lines, lanes_text, short


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-45, 3.4028235e38, -0.0, 16777216.0, 5e-324])
def test_the_exact_text_reads_back_as_the_same_float32(value: float) -> None:
    held = np.float32(value)
    assert np.float32(exact(float(held))).view(np.uint32) == held.view(np.uint32)


def test_what_is_not_finite_is_a_word_and_bits_are_hex() -> None:
    assert [exact(float(each)) for each in ("nan", "inf", "-inf")] == ["NaN", "Inf", "-Inf"]
    assert [bits(1.0), bits(-0.0), bits(-1, "int"), bits(True, "bool")] == [
        "0x3f800000", "0x80000000", "0xffffffff", "0x00000001"
    ]  # fmt: skip


def test_a_float_has_a_point_and_an_int_has_none() -> None:
    assert [short(2.0), short(2), short(True), short(None), short(1e10)] == ["2.0", "2", "true", "–", "1e+10"]


def test_a_value_is_written_as_glsl_has_it() -> None:
    assert exact_text("vec2", (float(np.float32(0.1)), -2.0)) == "vec2(0.1, -2.0)"
    assert lanes_text("mat2", (1.0, 2.0, 3.0, 4.0)) == "1.0, 2.0 | 3.0, 4.0"
    assert lane_lines("vec2", (1.0, None)) == ("x  1.0  0x3f800000", "y  –")


def test_only_a_vector_within_0_and_1_has_a_colour() -> None:
    assert colour_of("vec3", (0.0, 0.5, 1.0)) == (0.0, 0.5, 1.0, 1.0)
    assert colour_of("vec3", (0.0, 0.5, 1.5)) is None
    assert colour_of("vec2", (0.0, 0.5)) is None
    assert colour_of("vec3", (0.0, None, 1.0)) is None
