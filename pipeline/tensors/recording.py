"""Whether what runs is written down for a later backward pass, and in which order it ran."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_RECORDS: ContextVar[bool] = ContextVar("whether calls on tensors are recorded", default=True)


def records() -> bool:
    """Whether calls are recorded here."""
    return _RECORDS.get()


@contextmanager
def no_grad() -> Iterator[None]:
    """What runs inside is not recorded: its results need no gradient, and what it read may be freed."""
    before = _RECORDS.set(False)
    try:
        yield
    finally:
        _RECORDS.reset(before)
