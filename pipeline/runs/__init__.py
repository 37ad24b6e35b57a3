"""Runs held against each other: a golden in a file, another target or layout, the same once more."""
