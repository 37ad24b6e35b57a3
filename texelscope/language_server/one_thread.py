"""Runs work in one thread, in turn: GL belongs to a thread. Newer work may end what takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from texelscope.pipeline.errors import CancelledError

_Got = TypeVar("_Got")


class OneThread:
    """A thread for GL, and the event that ends a diagnosis under way in it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="targets")
        self._cancel = threading.Event()
        self._is_closing = False

    def run(self, work: Callable[[], _Got]) -> Future[_Got]:
        """Does the work when what was asked for before is done."""
        return self._pool.submit(self._unless_closing, work)

    def run_instead(self, work: Callable[[threading.Event], _Got]) -> Future[_Got]:
        """Ends the diagnosis under way, and does the work, which newer work may end by the event that it gets."""
        self._cancel.set()
        cancel = self._cancel = threading.Event()
        return self._pool.submit(self._unless_closing, lambda: work(cancel))

    def close(self, last: Callable[[], None]) -> None:
        """Ends what is under way, does the last work and waits for it."""
        self._cancel.set()
        self._is_closing = True
        self._pool.submit(last)
        self._pool.shutdown(wait=True)

    def _unless_closing(self, work: Callable[[], _Got]) -> _Got:
        if self._is_closing:
            raise CancelledError
        return work()
