"""Compares runs: with a golden in a file, with another target or layout, or with a repetition."""
