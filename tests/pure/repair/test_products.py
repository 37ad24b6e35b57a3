"""A factor that stands with something else than before is told by the words of two texts."""

from __future__ import annotations

import pytest

from pipeline.glsl.syntax import WORD
from pipeline.repair.said.products import moved_factor


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
    assert found == (None if factor is None else tuple(WORD.findall(factor)))
