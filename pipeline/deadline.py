"""Limits how long a piece of work may run; the work's own loops check the deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.quotas import present

# The advice where time ran out.
GIVE_LONGER = "Give it longer with --timeout SECONDS."


class DeadlineError(TexelscopeError):
    """A piece of work takes longer than it may."""


@dataclass(frozen=True)
class _Deadline:
    doing: str
    seconds: float
    end: float  # of time.monotonic
    cancelled: Callable[[], bool] | None


_PRESENT: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float, doing: str, cancelled: Callable[[], bool] | None = None) -> Iterator[None]:
    """Limits the time of the `with` body, in this thread; an outer deadline that ends earlier stays.

    `doing` names the work, as in "opening model.onnx"; `cancelled` returns whether nobody wants it any more, beside the
    `cancelled` of any outer deadline.
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
    """Limits the body as `within` does, by the seconds of the present quota of that name."""
    return within(getattr(present(), quota), doing)


def unless(cancelled: Callable[[], bool]) -> AbstractContextManager[None]:
    """Ends the `with` body, in this thread, soon after nobody wants it any more."""
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
    """Returns the seconds until the present deadline, at least 0; None without one."""
    now = _PRESENT.get()
    return None if now is None or now.end == inf else max(now.end - time.monotonic(), 0.0)


def _either(one: Callable[[], bool] | None, other: Callable[[], bool] | None) -> Callable[[], bool] | None:
    if one is None or other is None or one is other:
        return one or other
    return lambda: one() or other()
