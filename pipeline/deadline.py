"""Deadlines: until when a piece of work may run, asked for inside its loops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.quotas import present

# What is said to do where time ran out.
GIVE_LONGER = "Give it longer with --timeout SECONDS."


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

    `doing` says what it is, as in "opening model.onnx"; `cancelled` says whether nobody wants it any more, beside who
    says so of what is around it.
    """
    outer = _PRESENT.get()
    inner = _Deadline(doing, seconds, time.monotonic() + seconds, cancelled)
    if outer is not None:
        earlier = outer if outer.end < inner.end else inner
        inner = _Deadline(earlier.doing, earlier.seconds, earlier.end, _either(outer.cancelled, cancelled))
    token = _PRESENT.set(inner)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def phase(quota: str, doing: str) -> AbstractContextManager[None]:
    """As `within`, for as many seconds as the present quota of that name says."""
    return within(getattr(present(), quota), doing)


def unless(cancelled: Callable[[], bool]) -> AbstractContextManager[None]:
    """What runs inside, in this thread, ends soon after nobody wants it any more."""
    return within(inf, "", cancelled)


def check() -> None:
    """Raises DeadlineError when the present work has run out of time, CancelledError when nobody wants it.

    It costs less than a microsecond: loops over nodes, passes and members call it each turn.
    """
    now = _PRESENT.get()
    if now is None:
        return
    if now.cancelled is not None and now.cancelled():
        raise CancelledError
    if time.monotonic() > now.end:
        got = f"more than {now.seconds:g} s"
        raise DeadlineError(now.doing, "to be done in time", got, GIVE_LONGER)


def left() -> float | None:
    """Seconds until the present deadline, at least 0; None without one."""
    now = _PRESENT.get()
    return None if now is None or now.end == inf else max(now.end - time.monotonic(), 0.0)


def _either(one: Callable[[], bool] | None, other: Callable[[], bool] | None) -> Callable[[], bool] | None:
    if one is None or other is None or one is other:
        return one or other
    return lambda: one() or other()
