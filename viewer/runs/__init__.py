"""Compares the present run with an earlier one, a pinned one, or another target."""
