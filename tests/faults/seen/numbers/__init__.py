"""Bugs in numbers: NaN, rounding, results that change."""
