"""Decides whether calls are recorded for a later backward pass, and numbers them in order."""

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
    """Turns recording off inside: results need no gradient, and inputs may be freed."""
    before = _RECORDS.set(False)
    try:
        yield
    finally:
        _RECORDS.reset(before)
