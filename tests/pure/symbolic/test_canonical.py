"""Tests that what computes the same has one form, however it is spelled, and that other things have others."""

from __future__ import annotations

import pytest

from tests.pure.symbolic.fragments import are_equal

EARLY = "float leaky(float v) { if (v > 0.0) return v; return 0.1 * v; }"
ALIKE = [
    ("y = max(x(1), 0.0);", "y = x(1) > 0.0 ? x(1) : 0.0;"),
    ("y = max(x(1), 0.0);", "float v = x(1); if (v < 0.0) v = 0.0; y = v;"),
    ("y = max(x(1), 0.0);", "y = 0.5 * (x(1) + abs(x(1)));"),
    ("y = leaky(x(2));", "y = max(x(2), 0.0) + 0.1 * min(x(2), 0.0);"),
    ("for (int k = 0; k < 6; ++k) y += w(k) * x(k);", "for (int k = 5; k >= 0; --k) y += x(k) * w(k);"),
    ("y = (x(0) + x(1)) * 0.5;", "y = x(0) / 2.0 + 0.5 * x(1);"),
    ("y = 1.0 / (1.0 + exp(-x(3)));", "float e = exp(x(3)); y = e / (e + 1.0);"),
    ("y = max(max(x(0), x(1)), max(x(2), x(3)));",
     "y = -1e38; for (int k = 3; k >= 0; --k) y = x(k) > y ? x(k) : y;"),
    ("y = inversesqrt(x(0) * x(0) + 0.5);", "y = 1.0 / sqrt(pow(x(0), 2.0) + 0.5);"),
    ("y = x(0) * pow(x(1) * x(1) + 1.5, -0.75);", "y = x(0) / pow(x(1) * x(1) + 1.5, 0.75);"),
    ("y = pow(x(0) * x(1) + 2.0, 0.5);", "y = sqrt(x(1) * x(0) + 2.0);"),
    ("y = x(0) * x(1) > 0.25 ? x(2) : x(3);", "y = x(0) * x(1) < 0.25 ? x(3) : x(2);"),
    ("y = 0.25 < x(0) * x(1) ? x(2) : x(3);", "y = x(1) * x(0) <= 0.25 ? x(3) : x(2);"),
    ("for (int k = 0; k < 24; ++k) y += w(k % 12); y = y * y * x(0);",
     "for (int k = 11; k >= 0; --k) y += w(k); y = 4.0 * y * y * x(0);"),
    ("y = clamp(x(0) + 3.0, 0.0, 6.0) / 6.0 * x(0);", "y = x(0) * min(max(x(0) / 6.0 + 0.5, 0.0), 1.0);"),
]  # fmt: skip
OTHERS = [
    ("y = max(x(1), 0.0);", "y = max(x(2), 0.0);"),
    ("y = max(x(1), 0.0);", "y = abs(x(1));"),
    ("y = leaky(x(2));", "y = max(x(2), 0.0) + 0.2 * min(x(2), 0.0);"),
    ("y = x(0) - x(1);", "y = x(1) - x(0);"),
    ("y = max(x(0) + 0.25, 0.0);", "y = max(x(0), 0.0) + 0.25;"),
    ("y = x(0) * x(1) > 0.25 ? x(2) : x(3);", "y = x(0) * x(1) > 0.25 ? x(3) : x(2);"),
    ("y = max(x(0), x(1));", "y = max(x(0), max(x(1), x(2)));"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_spellings_of_one_formula_are_equal(one: str, other: str) -> None:
    assert are_equal(one, other, EARLY)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_two_formulas_are_not_equal(one: str, other: str) -> None:
    assert not are_equal(one, other, EARLY)
