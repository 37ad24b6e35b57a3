"""The one shape of an error: who, what was expected, what came instead, what to do next.

It stands with the layouts, below everything else, so that theirs are caught with all others.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from texelscope.layouts.outside_text import MOST_LETTERS, one_line, shortened

# So many names an error lists; a model has thousands of tensors.
MOST_NAMES = 12
# Longer names are no slip of the pen, and comparing two takes a time that grows with the square of their letters.
_MOST_NAME, _MOST_COMPARED = 200, 5000
# So much of each of its parts an error keeps, whatever the others take.
_LEAST_LETTERS = 80
# Which of them is cut first: what came instead, as a file has it, and last of all the advice.
_CUT_FIRST = (2, 0, 1, 3)


class TexelscopeError(Exception):
    """Anything a user can cause. Its text is one line, fit for the window and for a terminal.

    Attributes keep the four parts apart, each of them one line, so that a panel may lay them out.
    """

    def __init__(self, who: str, expected: str, got: str, do_next: str) -> None:
        self.who, self.expected, self.got, self.do_next = map(one_line, (who, expected, got, do_next))
        super().__init__(error_line(who, expected, got, do_next))


class LayoutError(TexelscopeError):
    """A shape, array or layout name that cannot be used."""


def error_line(who: str, expected: str, got: str, do_next: str) -> str:
    """The text of an error: one line of at most MOST_LETTERS, what is quoted of a file the first to be cut."""
    parts = [one_line(part, 4 * MOST_LETTERS) for part in (who, expected, got.rstrip().removesuffix("."), do_next)]
    for place in _CUT_FIRST:
        over = len(_joined(*parts)) - MOST_LETTERS
        if over > 0:
            parts[place] = shortened(parts[place], max(len(parts[place]) - over, _LEAST_LETTERS))
    return _joined(*parts)


def _joined(who: str, expected: str, got: str, do_next: str) -> str:
    return f"{who}: expected {expected}, got {got}. {do_next}"


def nearest(name: str, valid: Iterable[str]) -> str:
    """A sentence that offers the valid name nearest to `name`, or the valid names if none is near."""
    names = sorted(set(valid))
    comparable = [each for each in names[:_MOST_COMPARED] if len(each) <= _MOST_NAME]
    close = difflib.get_close_matches(name, comparable, n=1) if len(name) <= _MOST_NAME else []
    if close:
        return f"Did you mean '{close[0]}'?"
    if not names:
        return "There is none to choose from."
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Valid: {', '.join(shortened(each, _MOST_NAME) for each in names[:MOST_NAMES])}{more}."
