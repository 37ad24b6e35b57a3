"""GPU time by timer query, one a pass, read when somebody asks."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import moderngl

from pipeline.gl.state import is_llvmpipe

# moderngl reads timer queries as 32-bit nanoseconds; a driver answers with the largest number beyond that.
_LIMIT_NS = 2**32 - 1


class PassTimers:
    """The time of each pass's last run."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._queries: dict[str, moderngl.Query] = {}
        self._unread: set[str] = set()
        self._elapsed_ns: dict[str, int] = {}
        self._beyond: set[str] = set()
        self._submitted_ms: dict[str, float] = {}
        self._is_paused = False
        self._is_cold = False
        self._warm_up()

    @contextmanager
    def measure(self, name: str, *, dispatches: bool = False) -> Iterator[None]:
        """What is drawn inside counts as the pass called `name`, or what it `dispatches`."""
        was_cold, self._is_cold = self._is_cold and not dispatches, dispatches
        if self._is_paused:
            yield
            return
        if was_cold and is_llvmpipe(self._context):
            self._warm_up()
        if name not in self._queries:
            self._queries[name] = self._query()
        begun = time.perf_counter(), time.process_time()
        with self._queries[name]:
            yield
        # Of the two the less: a thread that waits for a core does nothing, and a driver may work in several.
        took = min(time.perf_counter() - begun[0], time.process_time() - begun[1])
        self._submitted_ms[name] = took * 1e3
        self._unread.add(name)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is drawn inside is not timed: a query costs time itself. Each pass keeps the time that it had."""
        before, self._is_paused = self._is_paused, True
        try:
            yield
        finally:
            self._is_paused = before

    def milliseconds(self, name: str) -> float | None:
        """GPU time of the last run; None before it, and where it does not fit the query's 32 bits (4.29 s).

        Waits for the GPU if the run is not over.
        """
        if name in self._unread:
            self._unread.discard(name)
            elapsed = self._queries[name].elapsed
            if elapsed < _LIMIT_NS:
                self._elapsed_ns[name] = elapsed
                self._beyond.discard(name)
            else:
                self._elapsed_ns.pop(name, None)
                self._beyond.add(name)
        return self._elapsed_ns[name] / 1e6 if name in self._elapsed_ns else None

    def at_least_ms(self, name: str) -> float:
        """What the last run took at least, in milliseconds: to hand it over, or by the GPU's time; 0 before it.

        A driver in software works while a dispatch is handed over, and its timer knows nothing of that.
        """
        elapsed = self.milliseconds(name)
        beyond = _LIMIT_NS / 1e6 if name in self._beyond else 0.0
        return max(elapsed or beyond, self._submitted_ms.get(name, 0.0))

    def forget(self, names: Collection[str]) -> None:
        """Leaves the queries of passes that are gone to others."""
        for name in self._queries.keys() & names:
            self._spare.append(self._queries.pop(name))
            self._unread.discard(name)
            self._elapsed_ns.pop(name, None)
            self._submitted_ms.pop(name, None)
            self._beyond.discard(name)

    def release(self) -> None:
        """Leaves all queries to others."""
        self.forget([*self._queries])

    def _query(self) -> moderngl.Query:
        return self._spare.pop() if self._spare else self._context.query(time=True)

    @property
    def _spare(self) -> list[moderngl.Query]:
        """Queries of the context that nobody uses; moderngl has no way to delete one."""
        if self._context.extra is None:
            self._context.extra = {}
        spare: list[moderngl.Query] = self._context.extra.setdefault("spare timer queries", [])
        return spare

    def _warm_up(self) -> None:
        """llvmpipe's first drawing of a context, or after a dispatch, has no start time: spend it on one texel."""
        target = self._context.simple_framebuffer((1, 1))
        previous = self._context.fbo
        query = self._query()
        with query:
            target.clear()
        self._spare.append(query)
        self._context.finish()
        if previous is not None:
            previous.use()
        target.color_attachments[0].release()
        target.release()
