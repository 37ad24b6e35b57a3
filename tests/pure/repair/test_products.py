"""Tests that a factor beside another operand than before is recognised by the words of two texts."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.repair.classify.otherwise import MovedFactor, moved_factor


@pytest.mark.parametrize(
    ("before", "after", "factor"),
    [
        ("o = mask * (get(s, p, 0) + rate * u);", "o = (get(s, p, 0) + mask * (rate * u));", "mask"),
        ("r = gain * (r + b);", "r = (gain * r + b);", "gain"),
        ("r = gain * tanh(a);", "r = tanh(gain * a);", "gain"),
        ("r = (a + b) * get(e, p.x).r;", "r = a * get(e, p.x).r + b;", "get(e, p.x).r"),
        ("r = (a - b * b) / float(n);", "r = a / float(n) - b * b;", "float(n)"),
        ("r = a * (b * c);", "r = (a * b) * c;", None),  # the same product
        ("r = m * a;", "r = a * m;", None),
        ("r = a * b + c * d;", "r = a * c + b * d;", None),  # two of them
        ("r = gain * (r + b);", "r = (gain * r + c);", None),  # other words
    ],
)
def test_a_factor_that_moves_is_told(before: str, after: str, factor: str | None) -> None:
    found = moved_factor(WORD.findall(before), WORD.findall(after))
    assert (found.words if found is not None else None) == (None if factor is None else tuple(WORD.findall(factor)))


@pytest.mark.parametrize(
    ("before", "after", "factor", "crosses", "is_wider"),
    [
        ("r = gain * tanh(a);", "r = tanh(gain * a);", "gain", True, False),
        ("r = tanh(a / (1.0 + b));", "r = tanh(a) / (1.0 + b);", "(1.0 + b)", True, False),
        ("r = a - b * gain;", "r = (a - b) * gain;", "gain", False, True),  # not a, nor b
        ("r = (a - b) * gain;", "r = a - b * gain;", "gain", False, False),
        ("r = tanh((a + b) * gain);", "r = tanh(a + b * gain);", "gain", False, False),
    ],
)
def test_a_factor_crosses_a_function_or_comes_to_more_of_a_sum(
    before: str, after: str, factor: str, crosses: bool, is_wider: bool
) -> None:
    found = moved_factor(WORD.findall(before), WORD.findall(after))
    assert found == MovedFactor(tuple(WORD.findall(factor)), crosses, is_wider)
