"""Measures GPU time by timer query, one per pass, read on demand."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import TracebackType

import moderngl

from texelscope.pipeline.gl.state import is_llvmpipe

# GL 4.6 core profile specification, §4.3 and §4.2.1.
_TIME_ELAPSED = 0x88BF
_QUERY_RESULT = 0x8866


class TimeQuery:
    """Times the GPU from entering it to leaving it. Its context must be current, and no other query active.

    It has 64 bits and is deleted on release: moderngl's has 32, and stays as long as its context does.
    """

    def __init__(self) -> None:
        from OpenGL.raw.GL.VERSION.GL_1_5 import glGenQueries

        name = ctypes.c_uint32()  # PyOpenGL takes long to import what it passes arrays of numpy with
        glGenQueries(1, ctypes.byref(name))
        self._name = name.value

    def __enter__(self) -> None:
        """Begins the query."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBeginQuery

        glBeginQuery(_TIME_ELAPSED, self._name)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Ends the query, also after an exception."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glEndQuery

        glEndQuery(_TIME_ELAPSED)

    @property
    def elapsed_ns(self) -> int:
        """Returns the nanoseconds last timed. Waits until the GPU is done."""
        from OpenGL.raw.GL.VERSION.GL_3_3 import glGetQueryObjectui64v

        elapsed = ctypes.c_uint64()
        glGetQueryObjectui64v(self._name, _QUERY_RESULT, ctypes.byref(elapsed))
        return elapsed.value

    def release(self) -> None:
        """Deletes it."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glDeleteQueries

        glDeleteQueries(1, ctypes.byref(ctypes.c_uint32(self._name)))


class PassTimers:
    """Holds the time of each pass's last run."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._queries: dict[str, TimeQuery] = {}
        self._unread: dict[str, float] = {}
        self._elapsed_ns: dict[str, int] = {}
        self._submitted_ms: dict[str, float] = {}
        self._is_paused = False
        self._is_cold = False
        self._warm_up()

    @property
    def are_paused(self) -> bool:
        """Reports whether nothing is timed for now."""
        return self._is_paused

    @contextmanager
    def measure(self, name: str, *, dispatches: bool = False) -> Iterator[None]:
        """Attributes the draws, or `dispatches`, inside to the pass called `name`."""
        was_cold, self._is_cold = self._is_cold and not dispatches, dispatches
        if self._is_paused:
            yield
            return
        if was_cold and is_llvmpipe(self._context):
            self._warm_up()
        if name not in self._queries:
            self._queries[name] = TimeQuery()
        begun = time.perf_counter(), time.process_time()
        with self._queries[name]:
            yield
        # The lesser of the two: a thread that waits for a core does nothing, and a driver may work in several.
        took = min(time.perf_counter() - begun[0], time.process_time() - begun[1])
        self._submitted_ms[name] = took * 1e3
        self._unread[name] = begun[0]

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leaves draws inside untimed: a query takes time itself. Each pass keeps its last time."""
        before, self._is_paused = self._is_paused, True
        try:
            yield
        finally:
            self._is_paused = before

    def milliseconds(self, name: str) -> float | None:
        """Returns the last run's GPU time; None before it, and if the driver does not know. Waits for the run's end."""
        if name in self._unread:
            elapsed, begun = self._queries[name].elapsed_ns, self._unread.pop(name)
            # More time than has passed: the driver counts from another start, such as that of the machine.
            if elapsed <= (time.perf_counter() - begun) * 1e9:
                self._elapsed_ns[name] = elapsed
            else:
                self._elapsed_ns.pop(name, None)
        return self._elapsed_ns[name] / 1e6 if name in self._elapsed_ns else None

    def at_least_ms(self, name: str) -> float:
        """Returns a lower bound of the last run in milliseconds: its submission, or the GPU's time; 0 before it.

        A software driver works while a dispatch is submitted, which its timer does not see.
        """
        return max(self.milliseconds(name) or 0.0, self._submitted_ms.get(name, 0.0))

    def forget(self, names: Collection[str]) -> None:
        """Deletes the queries of removed passes."""
        for name in self._queries.keys() & names:
            self._queries.pop(name).release()
            self._unread.pop(name, None)
            self._elapsed_ns.pop(name, None)
            self._submitted_ms.pop(name, None)

    def release(self) -> None:
        """Deletes all queries."""
        self.forget([*self._queries])

    def _warm_up(self) -> None:
        """Spends llvmpipe's first draw of a context, or after a dispatch, which lacks a start time, on one texel."""
        target = self._context.simple_framebuffer((1, 1))
        previous = self._context.fbo
        query = TimeQuery()
        with query:
            target.clear()
        self._context.finish()
        query.release()
        if previous is not None:
            previous.use()
        target.color_attachments[0].release()
        target.release()
