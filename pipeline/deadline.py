"""Deadlines: until when a piece of work may run, asked for inside its loops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from pipeline.errors import CancelledError, TexelscopeError


class DeadlineError(TexelscopeError):
    """Work that took longer than it may."""


@dataclass(frozen=True)
class _Deadline:
    doing: str
    seconds: float
    end: float  # of time.monotonic
    cancelled: Callable[[], bool] | None


_PRESENT: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float, doing: str, cancelled: Callable[[], bool] | None = None) -> Iterator[None]:
    """What runs inside, in this thread, has so long; an outer deadline that ends earlier stays.

    `doing` says what it is, as in "opening model.onnx"; `cancelled` says whether nobody wants it any more.
    """
    outer = _PRESENT.get()
    end = time.monotonic() + seconds
    inner = _Deadline(doing, seconds, end, cancelled or (outer.cancelled if outer else None))
    token = _PRESENT.set(outer if outer is not None and outer.end < end and cancelled is None else inner)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def check() -> None:
    """Raises DeadlineError when the present work has run out of time, CancelledError when nobody wants it.

    It costs less than a microsecond: loops over nodes, passes and members call it each turn.
    """
    present = _PRESENT.get()
    if present is None:
        return
    if present.cancelled is not None and present.cancelled():
        raise CancelledError
    if time.monotonic() > present.end:
        got = f"more than {present.seconds:g} s"
        raise DeadlineError(present.doing, "to be done in time", got, "Give it longer with --timeout SECONDS.")


def left() -> float | None:
    """Seconds until the present deadline, at least 0; None without one."""
    present = _PRESENT.get()
    return None if present is None else max(present.end - time.monotonic(), 0.0)
