"""Ends a command: with its exit code, and one line for whatever went wrong.

Nothing slow is imported here: Ctrl+C during the start prints no traceback.
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

# The codes for an error that a user can cause, and for a fault of this program.
FAILED = 2
FAULT = 3
# Shells expect 128 and the number of the signal after Ctrl+C, or after writing to a closed pipe.
INTERRUPTED = 130
CLOSED_PIPE = 141

# A message about a wrong command line has at most this many letters.
_MOST_LETTERS = 380

EXIT_CODES = (
    "Exit codes: 0 success; 1 a mismatch or a difference; 2 an error, reported in one line; 3 a fault of this program, "
    "reported with the place of its log; 130 interrupted; 141 the output pipe was closed; 129, 143 ended by a signal."
)


class EndedError(BaseException):
    """Raised when a signal asks the process to end: unfinished files are removed."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def ended(work: Callable[[], int], *, debug: bool = False) -> int:
    """Does the work; returns the exit code. `debug` prints tracebacks too."""
    _prepare_streams()
    try:
        code = work()
        sys.stdout.flush()
    except SystemExit as asked:  # argparse has printed its message
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
    except Exception as error:  # noqa: BLE001 - the last place that can report it
        code = _of_error(error, debug=debug)
    for stream in (sys.stdout, sys.stderr):  # Python reports no refused output again at exit
        _silence(stream)
    return code


@contextmanager
def signals_end_it() -> Iterator[None]:
    """Ends the work inside on SIGTERM and SIGHUP as Ctrl+C does; an ignored signal stays ignored, as under nohup."""
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
    """Reports a fault in a thread like any other; the command continues without the thread."""
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
    signal.signal(number, signal.SIG_DFL)  # a second signal ends the process at once
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
    """Prints a line on standard error, if it is open; returns FAILED."""
    with suppress(OSError, ValueError):
        print(f"texelscope: {line}", file=sys.stderr, flush=True)
    return FAILED


def _of_stream(error: OSError) -> int | None:
    """Returns the code for an error of standard output or standard error; None for any other error."""
    found = next((reason for reason in (_refused(sys.stdout), _refused(sys.stderr)) if reason), 0)
    if not found:
        return None
    return _of_refusal(errno.EPIPE if isinstance(error, BrokenPipeError) else found)


def _of_refusal(reason: int) -> int:
    if reason == errno.EPIPE:
        return CLOSED_PIPE
    return _say(f"standard output: expected a writable stream, got {os.strerror(reason)}. Write to a file.")


class _WatchedFile(io.FileIO):
    """A standard stream that remembers failed writes, since their text is lost."""

    failed = 0

    def write(self, data: Buffer, /) -> int:
        """Writes as a file does, and remembers a failure."""
        try:
            return super().write(data)
        except OSError as error:
            self.failed = error.errno or errno.EIO
            raise


def _refused(stream: TextIO) -> int:
    """Returns the errno for which a stream refuses output; 0 where it accepts it."""
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


def refuses_output(stream: TextIO) -> bool:
    """Whether a stream refuses output, as a pipe does that nobody reads."""
    return _refused(stream) != 0


def _silence(stream: TextIO) -> None:
    """Discards unwritten and all later output of a refusing stream."""
    with suppress(OSError, ValueError):
        if _refused(stream):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _prepare_streams() -> None:
    """Fills standard streams that the caller closed, so that no opened file gets their numbers, and their text.

    Writing to a closed standard output stays an error; messages on standard error are lost. Standard output is the
    command's alone: a driver that prints there prints to standard error.
    """
    from texelscope.readable import ERRORS, register

    register()
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
    sys.stdout = _watched(sys.stdout, 1)
    sys.stderr = io.StringIO() if sys.stderr is None else _watched(sys.stderr, 2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)


def _watched(stream: TextIO | None, number: int) -> TextIO:
    """Returns Python's own stream of that number, wrapped to remember failures; any other stream unchanged."""
    if stream is None:
        return io.TextIOWrapper(io.BufferedWriter(_WatchedFile(number, "w", closefd=False)), "utf-8")
    buffer = getattr(stream, "buffer", None)  # with python -u the file itself
    is_own = stream in (sys.__stdout__, sys.__stderr__) and type(_raw(stream)) is io.FileIO
    if not is_own or stream.fileno() != number:
        return stream
    lines = number == 2 or stream.isatty()
    raw = _WatchedFile(number if number == 2 else _kept_apart(number), "w", closefd=False)
    if isinstance(buffer, io.FileIO):
        return io.TextIOWrapper(raw, stream.encoding, write_through=True)
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, line_buffering=lines)


def _kept_apart(number: int) -> int:
    """Returns another number for an open file, and has the number itself mean standard error from now on."""
    kept = os.dup(number)
    os.dup2(2, number)
    return kept


def _raw(stream: object) -> object:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


class OneLineParser(argparse.ArgumentParser):
    """Reports a wrong command line in one line; `--help` prints the rest."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parses as argparse does, but refuses `--option=--`, whose value argparse makes an empty list."""
        for word in args or ():
            option, is_given, value = word.partition("=")
            if is_given and option.startswith("--") and value == "--":
                self.error(f"argument {option}: expected a value, got '--'")
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> None:  # type: ignore[override]
        """Prints the message and exits with FAILED."""
        from texelscope.layouts.outside_text import one_line

        said = one_line(message, _MOST_LETTERS)
        command = self.prog.partition(" ")[2]
        self.exit(FAILED, f"texelscope: {f'{command}: ' if command else ''}{said}. Run '{self.prog} --help'.\n")
