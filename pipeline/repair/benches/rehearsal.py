"""Programs of edits are compiled and drawn in another process first: a driver that dies of one ends nothing here."""

from __future__ import annotations

import time
from functools import cache

import moderngl

from pipeline.errors import TexelscopeError, UnsupportedError
from pipeline.gl.context import headless_context
from pipeline.gl.program import compiled_dispatch, drawn_once
from pipeline.workers.apart import EndedError
from pipeline.workers.standby import Standby

# A driver takes a fifth of a second for a large program, a machine with much to do some seconds; halves of what takes
# longer are compiled sooner. Once it took some it is known how long they take here, and so many times that is waited.
_SECONDS, _AT_LEAST, _TIMES = 5.0, 1.0, 4.0
_MOST_BYTES = 2 << 30


class Rehearsal:
    """Asks a process of its own, which is there from the first moment on; close it."""

    def __init__(self) -> None:
        self._standby = Standby("pipeline.repair.benches.rehearsal:rehearsed", "a shader tried apart", _MOST_BYTES)
        self._standby.start()
        self._seconds, self._slowest = _SECONDS, 0.0
        # The program that is under way, with when that began, and the last one that nobody has asked for yet.
        self._under_way: tuple[tuple[str, str], float] | None = None
        self._expected: tuple[tuple[str, str], bool] | None = None

    def expect(self, vertex: str, text: str) -> None:
        """Begins on a program that is asked for next, unless another one is under way."""
        if self._under_way is None:
            self._standby.ask(vertex, text)
            self._under_way = (vertex, text), time.monotonic()

    def takes(self, vertex: str, text: str) -> bool:
        """Whether the driver takes a program, and lives; True too where nothing can be drawn without a window."""
        if self._under_way is not None and self._under_way[0] != (vertex, text):
            self._expected = self._under_way[0], self._answer()
        if self._expected is not None and self._expected[0] == (vertex, text):
            return self._expected[1]
        self.expect(vertex, text)
        return self._answer()

    def _answer(self) -> bool:
        """Of the program that is under way."""
        assert self._under_way is not None
        (_, start), self._under_way, asked = self._under_way, None, time.monotonic()
        try:
            left = max(self._seconds - (asked - start), _AT_LEAST / 4.0)
            is_taken = bool(self._standby.answer(seconds=left))
        except EndedError:
            return False
        except TexelscopeError:
            return True
        waited = time.monotonic() - asked
        self._slowest = max(self._slowest, waited)
        self._seconds = min(max(_TIMES * self._slowest, _AT_LEAST), _SECONDS)
        return is_taken

    def close(self) -> None:
        """Ends the process."""
        self._standby.close()


def rehearsed(vertex: str, text: str) -> bool:
    """Compiles a program and draws a texel with it, in that process.

    Without a vertex shader it is a compute shader, which is not dispatched: nothing is bound that it may write.
    """
    context = _context()
    try:
        if vertex:
            drawn_once(context, vertex, text)
        else:
            compiled_dispatch(context, text, "a shader").release()
    except (moderngl.Error, UnsupportedError):
        return False
    return True


@cache
def _context() -> moderngl.Context:
    """One for all, in the process that stands by."""
    return headless_context()
