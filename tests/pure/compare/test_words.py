"""Causes and figures are said as a person says them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Figures, Finding
from texelscope.pipeline.compare.words import detail_words, finding_words, ratio_words, relative_words


@pytest.mark.parametrize(
    ("cause", "parameters", "words"),
    [
        ("half_precision", {"where": "read"}, "half precision where it reads"),
        ("tile_bleed", {"sides": "every side"}, "tile bleed beyond every side"),
        ("shift", {"dx": 1, "dy": 0}, "shift by (1, 0)"),
        ("stride", {"expected": [2, 2], "got": [1, 1]}, "stride 1, 1 in place of 2, 2"),
        ("missing_taps", {"taps": [[0, 1], [2, 2]]}, "missing taps (taps (0, 1), (2, 2))"),
        ("scale", {"factor": 0.50000001}, "scale (factor 0.5)"),
        ("feedback_loop", {}, "feedback loop"),
    ],
)
def test_a_cause_is_said_with_its_details(cause: str, parameters: dict[str, Any], words: str) -> None:
    assert finding_words(Finding(cause, parameters, 1.0, 0.0, "a.frag", 1, "", "")) == words


def test_lines_that_a_diff_shows_are_not_said_twice() -> None:
    lines = {"before": "a;", "after": "b;"}
    found = Finding("index_map", lines, 1.0, 0.0, "a.frag", 1, "evidence", "remedy")
    assert detail_words(found) == "(before a;, after b;)"
    repair = Repair((LineEdit("a.frag", 1, "a;", "b;"),), "diff", 1, 1)
    assert detail_words(dataclasses.replace(found, repair=repair)) == ""


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.0, "none"),
        (0.0327, "0.033 of what rounding explains"),
        (14123.0, "14,100 times what rounding explains"),
        (2.9e37, "far beyond what rounding explains"),
        (math.inf, "far beyond what rounding explains"),
    ],
)
def test_an_error_is_said_beside_what_rounding_explains(ratio: float, words: str) -> None:
    assert ratio_words(ratio) == words


@pytest.mark.parametrize(
    ("largest", "relative", "words"),
    [
        (1.0, math.inf, "expected 0"), (math.inf, math.inf, "not finite"), (1.0, 0.25, "25 %"), (1.0, 0.031, "3.10 %"),
        (0.0, 0.0, "0"), (1e-7, 3e-7, "3.0e-07"), (3.0, 1.3e6, "1,300,000 times"),
    ],
)  # fmt: skip
def test_a_relative_error_says_where_there_is_none(largest: float, relative: float, words: str) -> None:
    figures = Figures(largest, relative, 1.0, 1, 1, 0)
    assert relative_words(figures) == words
