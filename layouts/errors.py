"""The one shape of an error: who, what was expected, what came instead, what to do next.

It stands with the layouts, below everything else, so that theirs are caught with all others.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# So many names an error lists; a model has thousands of tensors.
MOST_NAMES = 12
# So long an error's line is at most: files of strangers have lines of thousands of letters. So much stays of what came
# instead, whatever the rest takes.
MOST_LETTERS = 480
_LEAST_LETTERS = 80


class TexelscopeError(Exception):
    """Anything a user can cause. Its text is one line, fit for the window and for a terminal.

    Attributes keep the four parts apart, so that a panel may lay them out and a test may ask for one.
    """

    def __init__(self, who: str, expected: str, got: str, do_next: str) -> None:
        self.who = who
        self.expected = expected
        self.got = got
        self.do_next = do_next
        super().__init__(error_line(who, expected, got.rstrip().removesuffix("."), do_next))


class LayoutError(TexelscopeError):
    """A shape, array or layout name that cannot be used."""


def error_line(who: str, expected: str, got: str, do_next: str) -> str:
    """The text of an error: one line of at most MOST_LETTERS, what is quoted of a file the first to be cut."""
    who, expected, got, do_next = (printable(" ".join(part.split())) for part in (who, expected, got, do_next))
    over = len(f"{who}: expected {expected}, got {got}. {do_next}") - MOST_LETTERS
    if over > 0:
        got = _cut(got, max(len(got) - over, _LEAST_LETTERS))
    return _cut(f"{who}: expected {expected}, got {got}. {do_next}", MOST_LETTERS)


def _cut(text: str, most: int) -> str:
    head = (most - 3) * 2 // 3
    return text if len(text) <= most else f"{text[:head]} … {text[len(text) - (most - 3 - head) :]}"


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
