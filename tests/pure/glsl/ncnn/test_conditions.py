"""Conditions over ncnn's own macros are decided; lines stay in their places."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.ncnn.translation import decided

TEXT = """a
#if NCNN_image_shader
b
#elif NCNN_fp16_packed || (NCNN_fp16_storage && !NCNN_fp16_arithmetic) // a comment
c
#else
#if MINE
d
#endif
e
#endif
f"""


@pytest.mark.parametrize(
    ("macros", "lines"),
    [
        ({"NCNN_image_shader": 1, "NCNN_fp16_packed": 1}, ["a", "b", "f"]),
        ({"NCNN_fp16_packed": 1}, ["a", "c", "f"]),
        ({"NCNN_fp16_storage": 1}, ["a", "c", "f"]),
        ({"NCNN_fp16_storage": 1, "NCNN_fp16_arithmetic": 1}, ["a", "#if MINE", "d", "#endif", "e", "f"]),
        ({}, ["a", "#if MINE", "d", "#endif", "e", "f"]),
    ],
)
def test_one_branch_is_left_and_conditions_of_others_stay(macros: dict[str, int], lines: list[str]) -> None:
    text = decided(TEXT, macros)
    assert [line for line in text.split("\n") if line] == lines
    assert text.count("\n") == TEXT.count("\n")
    assert text.split("\n")[-1] == "f"


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("#if ncnn_subgroupSize == 32", False), ("#if ncnn_subgroupSize + 32 >= 32 * 1", True),
        ("#ifdef NCNN_on", True), ("#ifndef NCNN_on", False), ("#if !defined(NCNN_off)", True),
        ("#if defined NCNN_on && 7 % 4 == 3", True), ("#if (ncnn_supportedOperations & 4) != 0", False),
        ("#if -NCNN_on < 0 && 6 / 4 == NCNN_on", True),
    ],
)  # fmt: skip
def test_conditions_mean_what_the_preprocessor_has_them_mean(condition: str, holds: bool) -> None:
    assert decided(f"{condition}\nx\n#endif", {"NCNN_on": 1}) == ("\nx\n" if holds else "\n\n")


@pytest.mark.parametrize("condition", ["#if NCNN_x + MINE", "#if NCNN_x ==", "#if NCNN_x / 0", "#if 'NCNN_x'", "#if 1"])
def test_what_is_not_known_here_is_left_to_the_driver(condition: str) -> None:
    text = f"{condition}\nx\n#else\ny\n#endif\n#endif\n#else"
    assert decided(text, {}) == text
