"""Measures a repair: the shorter it is, the likelier it is what the author meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.semantics.questions import WORD

_NUMBER = re.compile(r"\d[\w.]*|\.\d[\w.]*")
# An added number costs this many letters more, unless it is a common one.
_OUT_OF_NOWHERE = 2.0
_COMMON = frozenset({0.0, 0.5, 1.0, 2.0})
# A removal costs at most this: less than another letter.
_TAKEN_AWAY = 1.5


def length(edits: Sequence[LineEdit]) -> tuple[int, float]:
    """Returns how much a repair changes: lines, then letters; removals cost less, and little if alone."""
    letters = 0.0
    for edit in edits:
        before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
        new, old = 0.0, 0
        for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                old += sum(map(len, before[a:b]))
                new += sum(map(len, after[c:d])) + _OUT_OF_NOWHERE * _new_numbers(before[a:b], after[c:d])
        letters += 2.0 * new + 0.25 * max(old - new, 0) if new else min(0.25 * old, _TAKEN_AWAY)
    return len(edits), letters


def _new_numbers(before: Sequence[str], after: Sequence[str]) -> int:
    """Counts added numbers that replace none and are not among the common ones."""
    old = [text for text in before if _NUMBER.fullmatch(text)]
    new = [text for text in after if _NUMBER.fullmatch(text) and not _is_common(text)]
    return max(len(new) - len(old), 0)


def _is_common(text: str) -> bool:
    try:
        return float(text.rstrip("fFuU")) in _COMMON
    except ValueError:  # a number of another base
        return False
