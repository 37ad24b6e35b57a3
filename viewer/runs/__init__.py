"""Runs kept beside the present one, which then stand in the oracle's place: before an edit, pinned, another target."""
