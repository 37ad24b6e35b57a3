"""A timer query of 64 bits, which goes when it is no longer needed: moderngl's has 32 and stays as its context does."""

from __future__ import annotations

import ctypes
from types import TracebackType

import numpy as np

# GL 4.6 core profile specification, §4.3 and §4.2.1.
_TIME_ELAPSED = 0x88BF
_QUERY_RESULT = 0x8866


class TimeQuery:
    """GPU time from entering it to leaving it. Needs its context to be current, and no other one entered."""

    def __init__(self) -> None:
        from OpenGL.raw.GL.VERSION.GL_1_5 import glGenQueries

        name = np.zeros(1, dtype=np.uint32)
        glGenQueries(1, name)
        self._name = int(name[0])

    def __enter__(self) -> None:
        """Begins."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBeginQuery

        glBeginQuery(_TIME_ELAPSED, self._name)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Ends, whatever happened inside."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glEndQuery

        glEndQuery(_TIME_ELAPSED)

    @property
    def elapsed_ns(self) -> int:
        """Nanoseconds of what was last timed. Waits until the GPU has done it."""
        from OpenGL.raw.GL.VERSION.GL_3_3 import glGetQueryObjectui64v

        elapsed = ctypes.c_uint64()
        glGetQueryObjectui64v(self._name, _QUERY_RESULT, ctypes.byref(elapsed))
        return elapsed.value

    def release(self) -> None:
        """Deletes it."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glDeleteQueries

        glDeleteQueries(1, np.array([self._name], dtype=np.uint32))
