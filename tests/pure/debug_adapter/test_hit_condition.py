"""Tests hit conditions: at which hits a breakpoint stops."""

from __future__ import annotations

import pytest

from texelscope.pipeline.debug_adapter.hit_condition import hit_condition
from texelscope.pipeline.errors import TexelscopeError


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("3", [3]),
        (" == 3 ", [3]),
        ("=3", [3]),
        (">4", [5, 6]),
        (">= 4", [4, 5, 6]),
        ("<3", [1, 2]),
        ("<= 3", [1, 2, 3]),
        ("% 2", [2, 4, 6]),
    ],
)
def test_a_condition_chooses_its_hits(text: str, hits: list[int]) -> None:
    assert [hit for hit in range(1, 7) if hit_condition(text).holds(hit)] == hits


@pytest.mark.parametrize("text", ["", "x", "> 3 4", "-1", "!= 3", "% 0", "3.5", "\u0663", "1" * 30])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(
        TexelscopeError, match=r"hit condition: expected a number, alone or behind .*For example >= 3\."
    ):
        hit_condition(text)
