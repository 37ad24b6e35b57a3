"""The corpus: small files each of which once ended in something else than an answer or a line, and how each is made."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.case import Case


def cases() -> Iterator[tuple[str, Case]]:
    """Name and case, those of one part after those of another."""
    yield from ()
