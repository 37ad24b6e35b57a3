"""How much an author would have to change: the shorter a repair, the likelier it says what was meant."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.compare.common_ends import common_ends
from pipeline.compare.repairs import LineEdit

# What is taken away and nothing put in its place counts as this at most: less than another letter.
_TAKEN_AWAY = 1.5


def length(edits: Sequence[LineEdit]) -> tuple[int, float]:
    """How much a repair changes: lines, then letters; what is taken away beside counts less, and little alone."""
    letters = 0.0
    for edit in edits:
        before, after = edit.before or "", edit.after or ""
        alike = sum(common_ends(before, after))
        new, old = len(after) - alike, len(before) - alike
        letters += 2.0 * new + 0.25 * max(old - new, 0) if new else min(0.25 * old, _TAKEN_AWAY)
    return len(edits), letters
