"""Errors have one shape: who, what was expected, what was found, what to do next.

This module stands with the layouts, below everything else, so that their errors share the common base.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from texelscope.layouts.outside_text import MOST_LETTERS, one_line, shortened

# An error lists at most this many names; a model has thousands of tensors.
MOST_NAMES = 12
# Longer names are no typing errors, and comparing two takes time that grows with the square of their length.
_MOST_NAME, _MOST_COMPARED = 200, 5000
# An error keeps at least this much of each of its parts, however long the others are.
_LEAST_LETTERS = 80
# The parts in the order in which they are cut: first what a file contained, last the advice.
_CUT_FIRST = (2, 0, 1, 3)


class TexelscopeError(Exception):
    """Base of every error that a user can cause. Its text is one line, fit for the window and for a terminal.

    Attributes keep the four parts apart, each of them one line, so that a panel may lay them out.
    """

    def __init__(self, who: str, expected: str, got: str, do_next: str) -> None:
        self.who, self.expected, self.got, self.do_next = map(one_line, (who, expected, got, do_next))
        super().__init__(error_line(who, expected, got, do_next))


class LayoutError(TexelscopeError):
    """Raised for a shape, array or layout name that cannot be used."""


def error_line(who: str, expected: str, got: str, do_next: str) -> str:
    """Formats an error as one line of at most MOST_LETTERS; text quoted from a file is cut first."""
    parts = [one_line(part, 4 * MOST_LETTERS) for part in (who, expected, got.rstrip().removesuffix("."), do_next)]
    for place in _CUT_FIRST:
        over = len(_joined(*parts)) - MOST_LETTERS
        if over > 0:
            parts[place] = shortened(parts[place], max(len(parts[place]) - over, _LEAST_LETTERS))
    return _joined(*parts)


def _joined(who: str, expected: str, got: str, do_next: str) -> str:
    return f"{who}: expected {expected}, got {got}. {do_next}"


def nearest(name: str, valid: Iterable[str]) -> str:
    """Returns a sentence that suggests the valid name nearest to `name`, or lists the valid names if none is near."""
    names = sorted(set(valid))
    comparable = [each for each in names[:_MOST_COMPARED] if len(each) <= _MOST_NAME]
    close = difflib.get_close_matches(name, comparable, n=1) if len(name) <= _MOST_NAME else []
    if close:
        return f"Did you mean '{close[0]}'?"
    if not names:
        return "There is none to choose from."
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Valid: {', '.join(shortened(each, _MOST_NAME) for each in names[:MOST_NAMES])}{more}."
