"""How a command ends: its exit code, and one line for whatever went wrong.

Nothing is imported here that takes time: who presses Ctrl+C while the program starts gets no traceback.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from typing_extensions import Buffer

# An error that a user can cause, and a fault of this program that nobody foresaw.
FAILED = 2
FAULT = 3
# What shells expect of a command that Ctrl+C ended, or that writes to a pipe that nobody reads any more: 128 and the
# number of the signal.
INTERRUPTED = 130
CLOSED_PIPE = 141

# So much is said of a command line that is none.
_MOST_LETTERS = 380

EXIT_CODES = (
    "Exit codes: 0 fine; 1 a mismatch or a difference; 2 an error of one line; 3 a fault of this program, with a line "
    "that says where its log is; 130 interrupted; 141 the pipe it writes to was closed; 129 and 143 ended by a signal."
)


class EndedError(BaseException):
    """A signal asks the process to end: what is unfinished is removed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def ended(work: Callable[[], int], *, debug: bool = False) -> int:
    """Does the work; returns the exit code. `debug` has tracebacks shown too."""
    _prepare_streams()
    try:
        code = work()
        sys.stdout.flush()
    except SystemExit as asked:  # of argparse, which has said what it has to say
        code = asked.code if isinstance(asked.code, int) else FAILED if asked.code else 0
        if reason := _refused(sys.stdout):
            code = _of_refusal(reason)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except EndedError as signalled:
        code = 128 + signalled.number
    except MemoryError:
        code = _say("expected enough memory, got none. Use a smaller --shape.")
    except OSError as error:
        of_stream = _of_stream(error)
        code = _unforeseen(error, debug=debug) if of_stream is None else of_stream
    except Exception as error:  # noqa: BLE001 - this is the last place that can tell it
        code = _of_error(error, debug=debug)
    for stream in (sys.stdout, sys.stderr):  # what nobody takes is not to be told by Python at its own end
        _silence(stream)
    return code


@contextmanager
def signals_end_it() -> Iterator[None]:
    """SIGTERM and SIGHUP end the work inside as Ctrl+C does; one that is ignored stays so, as under nohup."""
    asked = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        asked = []
    before = {number: signal.getsignal(number) for number in asked}
    taken = [number for number in asked if before[number] == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])


@contextmanager
def threads_tell() -> Iterator[None]:
    """A fault in a thread is told as any other; the command goes on without the thread."""
    before = threading.excepthook

    def tell(given: threading.ExceptHookArgs) -> None:
        if given.exc_value is None or isinstance(given.exc_value, SystemExit):
            return
        from texelscope.pipeline.crash_report.fault_log import fault

        _say(fault("a thread of this command", given.exc_value))

    threading.excepthook = tell
    try:
        yield
    finally:
        threading.excepthook = before


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)  # who asks again gets it at once
    raise EndedError(number)


def _of_error(error: Exception, *, debug: bool) -> int:
    from texelscope.pipeline.errors import TexelscopeError

    if isinstance(error, TexelscopeError):
        return _say(str(error))
    return _unforeseen(error, debug=debug)


def _unforeseen(error: Exception, *, debug: bool) -> int:
    from texelscope.pipeline.crash_report.fault_log import fault, traced

    line = fault("this command", error)
    if debug:
        with suppress(OSError, ValueError):
            sys.stderr.write(traced(error))
    _say(line)
    return FAULT


def _say(line: str) -> int:
    """A line on standard error, if anybody takes it; FAILED."""
    with suppress(OSError, ValueError):
        print(f"texelscope: {line}", file=sys.stderr, flush=True)
    return FAILED


def _of_stream(error: OSError) -> int | None:
    """The code for an error that standard output or standard error made; None for another's."""
    found = next((reason for reason in (_refused(sys.stdout), _refused(sys.stderr)) if reason), 0)
    if not found:
        return None
    return _of_refusal(errno.EPIPE if isinstance(error, BrokenPipeError) else found)


def _of_refusal(reason: int) -> int:
    if reason == errno.EPIPE:
        return CLOSED_PIPE
    return _say(
        f"standard output: expected one that takes what is written, got {os.strerror(reason)}. Write to a file."
    )


class _WatchedFile(io.FileIO):
    """A standard stream that remembers that it was not written to, as what was to be written is lost then."""

    failed = 0

    def write(self, data: Buffer, /) -> int:
        """As a file does."""
        try:
            return super().write(data)
        except OSError as error:
            self.failed = error.errno or errno.EIO
            raise


def _refused(stream: TextIO) -> int:
    """Why a stream does not take what is written to it, as a number of errno; 0 where it does."""
    try:
        stream.flush()
    except OSError as error:
        return error.errno or errno.EIO
    except ValueError:
        return errno.EBADF
    raw = _raw(stream)
    if isinstance(raw, _WatchedFile) and raw.failed:
        return raw.failed
    try:
        polled = select.poll()
        polled.register(stream.fileno(), select.POLLOUT)
        broken = any(event & select.POLLERR for _, event in polled.poll(0))
    except (AttributeError, OSError, ValueError):  # no poll, or no file behind it
        return 0
    return errno.EPIPE if broken else 0


def _silence(stream: TextIO) -> None:
    """Lets what is still to be written, and all that follows, go nowhere."""
    with suppress(OSError, ValueError):
        if _refused(stream):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _prepare_streams() -> None:
    """Where the caller closed a standard stream, a file that is opened must not get its number, and its text.

    Writing to a standard output that is closed stays an error; what is said beside it is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
    sys.stdout = _watched(sys.stdout, 1)
    sys.stderr = io.StringIO() if sys.stderr is None else _watched(sys.stderr, 2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign gets its number
            stream.reconfigure(errors="backslashreplace")


def _watched(stream: TextIO | None, number: int) -> TextIO:
    """Python's own stream of that number as one whose refusals are known; another one as it is."""
    if stream is None:
        return io.TextIOWrapper(io.BufferedWriter(_WatchedFile(number, "w", closefd=False)), "utf-8")
    buffer = getattr(stream, "buffer", None)  # with python -u the file itself
    is_own = stream in (sys.__stdout__, sys.__stderr__) and type(_raw(stream)) is io.FileIO
    if not is_own or stream.fileno() != number:
        return stream
    raw = _WatchedFile(number, "w", closefd=False)
    lines = number == 2 or stream.isatty()
    if isinstance(buffer, io.FileIO):
        return io.TextIOWrapper(raw, stream.encoding, write_through=True)
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, line_buffering=lines)


def _raw(stream: object) -> object:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


class OneLineParser(argparse.ArgumentParser):
    """What refuses a command line in one line; `--help` says the rest."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """As argparse does, which makes an empty list of the value in `--option=--`."""
        for word in args or ():
            option, is_given, value = word.partition("=")
            if is_given and option.startswith("--") and value == "--":
                self.error(f"argument {option}: expected a value, got '--'")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> None:  # type: ignore[override]
        """Says it and ends with FAILED."""
        from texelscope.layouts.outside_text import one_line

        said = one_line(message, _MOST_LETTERS)
        command = self.prog.partition(" ")[2]
        self.exit(FAILED, f"texelscope: {f'{command}: ' if command else ''}{said}. Run '{self.prog} --help'.\n")
