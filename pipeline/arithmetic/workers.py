"""Shares the oracle's heavy operators out to threads.

A BLAS that splits one product over all cores waits for its threads by spinning; beside a window and a software GL
driver, which want the same cores, that made a convolution ten to fifty times slower. So here each thread multiplies
alone, and big operators are cut into blocks that threads take in turn.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from texelscope.pipeline.deadline import check

Item = TypeVar("Item")

# The bytes that one block copies. Speed hardly depends on it from 1 MiB on; but from 4 MiB on numpy asks for huge
# pages, and clearing those can double the time.
BLOCK_BYTES = 3 << 20


class Workers:
    """Starts a few threads when first needed, and shares out blocks of one computation to them."""

    def __init__(self, count: int | None = None) -> None:
        """`count` is the number of threads; that of the cores if None."""
        self.count = count or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.count, "oracle") if self.count > 1 else None

    def each(self, work: Callable[[Item], None], items: Iterable[Item]) -> None:
        """Calls `work` for every item, in any order, and returns when all are done; raises an error of any of them.

        The caller's thread settings, such as `np.errstate`, hold for the work.
        """
        items = list(items)
        if self._pool is None or len(items) < 2:
            for item in items:
                check()
                work(item)
        else:
            contexts = [contextvars.copy_context() for _ in items]  # only one thread at a time may enter one
            for _ in self._pool.map(lambda context, item: context.run(_checked, work, item), contexts, items):
                pass

    def blocks(self, count: int, bytes_each: int, most_bytes: int) -> list[slice]:
        """Cuts `count` rows of `bytes_each` into blocks of at most `most_bytes` (but of one row at least).

        There are as many blocks as workers, unless that makes them trifling.
        """
        pieces = max(-(-count * bytes_each // most_bytes), min(self.count, count * bytes_each // (most_bytes // 16)))
        step = -(-count // max(1, min(pieces, count)))
        return [slice(first, min(first + step, count)) for first in range(0, count, step)]


def _checked(work: Callable[[Item], None], item: Item) -> None:
    check()
    work(item)


class SingleThreadedBlas:
    """Keeps BLAS to the calling thread while anybody is inside; as a setting of the process it is shared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._controller = ThreadpoolController()
        self._inside = 0
        self._restore = contextlib.ExitStack()

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if not self._inside:
                self._restore.enter_context(self._controller.limit(limits=1, user_api="blas"))
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._restore.close()


single_threaded_blas = SingleThreadedBlas()
