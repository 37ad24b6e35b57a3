"""Makes several calls in other processes, so many of them at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.deadline import unless
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.workers.apart import in_a_process

# Address space: a GPU's driver reserves much of it and uses little. Quotas limit what a target takes.
_MOST_BYTES = 1 << 40


@dataclass(frozen=True)
class CallApart:
    """Describes a call of `function`, as in "package.module:name", with arguments that can be pickled.

    `who` is named in errors.
    """

    function: str
    arguments: tuple[Any, ...]
    who: str


@dataclass(frozen=True)
class Answer:
    """Holds the result of a call, or the error in its place, after so many seconds."""

    seconds: float
    result: Any = None
    error: TexelscopeError | None = None


def in_processes(
    calls: Sequence[CallApart], jobs: int, answered: Callable[[int, Answer], None] = lambda _number, _answer: None
) -> tuple[Answer, ...]:
    """Makes the calls, `jobs` at a time, each in its own process; returns their answers in order.

    `answered` gets each, with its number, as it comes, in another thread. Where this is interrupted, the processes are
    ended.
    """
    is_over = threading.Event()
    pool = ThreadPoolExecutor(jobs)

    def make(number: int, call: CallApart) -> Answer:
        with unless(is_over.is_set):
            answer = _answer(call)
        if not is_over.is_set():
            answered(number, answer)
        return answer

    try:
        waiting = [pool.submit(copy_context().run, make, number, call) for number, call in enumerate(calls)]
        return tuple(each.result() for each in waiting)
    finally:
        is_over.set()
        pool.shutdown(cancel_futures=True)


def _answer(call: CallApart) -> Answer:
    start = time.monotonic()
    try:
        result = in_a_process(call.function, call.arguments, call.who, _MOST_BYTES)
    except TexelscopeError as error:
        return Answer(time.monotonic() - start, error=error)
    return Answer(time.monotonic() - start, result)
