"""The one error that layouts raise; it knows nothing of the rest of the program, so layouts stand alone."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LayoutError(ValueError):
    """A shape, array or layout name that cannot be used: who, expected, got, do next, in one line."""

    def __init__(self, who: str, expected: str, got: str, do_next: str) -> None:
        self.who = who
        self.expected = expected
        self.got = got
        self.do_next = do_next
        super().__init__(" ".join(f"{who}: expected {expected}, got {got}. {do_next}".split()))


def nearest_name(name: str, valid: Iterable[str]) -> str:
    """A sentence that offers the valid name nearest to `name`, or lists the valid names if none is near."""
    names = sorted(valid)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    return f"Valid: {', '.join(names)}." if names else "It takes none."
