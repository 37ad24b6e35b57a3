"""The one shape of an error: who, what was expected, what came instead, what to do next.

It stands with the layouts, below everything else, so that theirs are caught with all others.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# So many names an error lists; a model has thousands of tensors.
MOST_NAMES = 12


class TexelscopeError(Exception):
    """Anything a user can cause. Its text is one line, fit for the window and for a terminal.

    Attributes keep the four parts apart, so that a panel may lay them out and a test may ask for one.
    """

    def __init__(self, who: str, expected: str, got: str, do_next: str) -> None:
        self.who = who
        self.expected = expected
        self.got = got
        self.do_next = do_next
        text = f"{who}: expected {expected}, got {got.rstrip().removesuffix('.')}. {do_next}"
        super().__init__(printable(" ".join(text.split())))


class LayoutError(TexelscopeError):
    """A shape, array or layout name that cannot be used."""


def printable(text: str) -> str:
    """`text` with control characters written out: a name in a file must not steer a terminal or break a line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def nearest(name: str, valid: Iterable[str]) -> str:
    """A sentence that offers the valid name nearest to `name`, or the valid names if none is near."""
    names = sorted(set(valid))
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    if not names:
        return "There is none to choose from."
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Valid: {', '.join(names[:MOST_NAMES])}{more}."
