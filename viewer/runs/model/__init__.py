"""Keeps earlier runs to compare with instead of the oracle: before an edit, pinned, or of another target."""
