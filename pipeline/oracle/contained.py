"""Contains foreign code in its thread: what it does to standard streams, or to end the program, harms nobody else.

It sees streams of its own, whose text goes to standard error, so that a report on standard output stays whole. Closed
or exchanged streams are put back afterwards, and so are the files below them.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn, TextIO

# So many letters of what foreign code prints are shown.
MOST_LETTERS = 10_000
_STREAMS = ("stdout", "stderr")
# Whether the thread runs foreign code: functions that this code keeps for later must work then too.
_INSIDE: ContextVar[bool] = ContextVar("foreign code", default=False)


class EndingError(Exception):
    """Says that foreign code asked to end the program."""


@dataclass
class Interrupt:
    """Remembers whether the user interrupted, at the keyboard, while foreign code ran."""

    was_made: bool = False


@contextmanager
def contained() -> Iterator[Interrupt]:
    """Runs foreign code inside; other threads keep their streams. `os._exit` and `os.abort` raise EndingError there."""
    held = {name: _unwrapped(getattr(sys, name)) for name in _STREAMS}
    shown = _Shown(held["stderr"])
    own = {name: _OwnStream(stream, shown) for name, stream in held.items()}
    ways = {name: getattr(os, name) for name in ("_exit", "abort")}
    for name, stream in own.items():
        setattr(sys, name, stream)
    for name, way in ways.items():
        setattr(os, name, _refused(name, way))
    token = _INSIDE.set(True)
    try:
        with _files_kept(), _interrupts_noted() as interrupt:
            yield interrupt
    finally:
        _INSIDE.reset(token)
        for name, way in ways.items():
            setattr(os, name, way)
        for name, stream in own.items():
            stream.is_over = True
            setattr(sys, name, held[name])


class _Shown:
    """Passes the first letters of a text on, and says once that there were more."""

    def __init__(self, to: TextIO | None) -> None:
        self._to, self._left = to, MOST_LETTERS

    def write(self, text: str) -> None:
        if self._to is None or not self._left or not text:
            return
        part, self._left = text[: self._left], max(self._left - len(text), 0)
        with suppress(OSError, ValueError):
            self._to.write(part if self._left else f"{part} …\n")


class _OwnStream(io.TextIOBase):
    """A standard stream that foreign code may close: its thread's text is shown, that of others goes on as before."""

    def __init__(self, stream: TextIO | None, shown: _Shown) -> None:
        self.stream, self._shown = stream, shown
        self.is_over = False

    @property
    def is_foreign(self) -> bool:
        """Whether foreign code asks."""
        return not self.is_over and _INSIDE.get()

    def write(self, text: str) -> int:
        if self.is_foreign:
            self._shown.write(text)
        elif self.stream is not None:
            self.stream.write(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        if not self.is_foreign and self.stream is not None:
            self.stream.flush()

    def close(self) -> None:
        """Does nothing: the stream belongs to the program."""

    @property
    def buffer(self) -> Any:
        """The stream of bytes below; foreign code gets one that nothing reads."""
        return io.BytesIO() if self.is_foreign else getattr(self.stream, "buffer", None)

    def detach(self) -> Any:
        return self.buffer

    def fileno(self) -> int:
        if self.stream is None:
            raise io.UnsupportedOperation("fileno")
        return self.stream.fileno()

    def isatty(self) -> bool:
        return self.stream is not None and self.stream.isatty()


def _unwrapped(stream: TextIO | None) -> TextIO | None:
    """Returns the stream below those of foreign code that is over; another thread may have put one back late."""
    while isinstance(stream, _OwnStream) and stream.is_over:
        stream = stream.stream
    return stream


def _refused(name: str, way: Callable[..., NoReturn]) -> Callable[..., NoReturn]:
    """Returns a way to end the program that foreign code cannot go."""

    def refused(*arguments: Any) -> NoReturn:
        if _INSIDE.get():
            raise EndingError(f"os.{name}({', '.join(map(repr, arguments))})")
        way(*arguments)

    return refused


@contextmanager
def _files_kept() -> Iterator[None]:
    """Puts standard output and error back, if code inside closes their files or puts others in their places."""
    held: dict[int, int] = {}
    for number in (1, 2):
        with suppress(OSError):
            held[number] = os.dup(number)
    try:
        yield
    finally:
        for number, copy in held.items():
            with suppress(OSError):
                if not _are_same(number, copy):
                    os.dup2(copy, number)
            with suppress(OSError):
                os.close(copy)


def _are_same(number: int, copy: int) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.fstat(copy))
    except OSError:
        return False


@contextmanager
def _interrupts_noted() -> Iterator[Interrupt]:
    """Notes interrupts from outside, which reach the main thread alone: foreign code may raise the same exception."""
    found, before = Interrupt(), signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield found
        return

    def noted(number: int, frame: FrameType | None) -> None:
        found.was_made = True
        before(number, frame)

    signal.signal(signal.SIGINT, noted)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, before)
