"""Calls a function in another process, and ends that where time runs out or the result is no longer wanted.

The process is made for the one call: it takes about half a second, which suits calls of seconds. Arguments and results
are pickled, and come from this program alone.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import threading
from collections.abc import Mapping
from typing import IO, Any

from texelscope.pipeline.deadline import check, left
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.quotas import present
from texelscope.pipeline.workers.ended_by import end_of
from texelscope.pipeline.workers.own_process import own_command, own_environment, unseen
from texelscope.pipeline.workers.windows_job import end_with_this_process

_POLL_SECONDS = 0.05
# Errors that keep their type across processes.
_ERRORS = {each.__name__: each for each in (TexelscopeError, UnsupportedError)}


class WorkerEndedError(TexelscopeError):
    """A process ends before its work does: the system killed it, or the call failed."""


def in_a_process(function: str, arguments: tuple[Any, ...], who: str, most_bytes: int | None = None) -> Any:
    """Returns what `function`, as in "package.module:name", returns for `arguments`; all of them can be pickled.

    It takes no more than `most_bytes` of address space, by default the present quota of memory.

    Raises the TexelscopeError or UnsupportedError that it raises, WorkerEndedError, naming `who`, where the process
    ended unexpectedly, and DeadlineError or CancelledError as `check`; the process is gone then.
    """
    held = left(), most_bytes or present().memory_bytes
    request = pickle.dumps((function, arguments, *held), protocol=pickle.HIGHEST_PROTOCOL)
    process = started("texelscope.pipeline.workers.serve")
    assert process.stdin is not None
    pipe, process.stdin = process.stdin, None  # `communicate` would not go on with it after a timeout
    asking = threading.Thread(target=_send, args=(pipe, request), daemon=True)
    asking.start()
    try:
        answer = _answer(process)
    finally:
        if process.poll() is None:
            process.kill()
        with process:  # waits, and closes the pipes
            asking.join()
    check()
    return _told(answer, process.returncode, who)


def _send(pipe: IO[bytes], request: bytes) -> None:
    with contextlib.suppress(OSError), pipe:  # it may have been ended
        pipe.write(request)


def _answer(process: subprocess.Popen[bytes]) -> bytes:
    while True:
        check()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_POLL_SECONDS)[0]


def started(module: str) -> subprocess.Popen[bytes]:
    """Starts a process that runs a module of this very copy of the program, with pipes to and from it."""
    process = subprocess.Popen(
        own_command(module, str(os.getpid())),
        env=own_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a person interrupts this program, which ends the other
        creationflags=unseen(),
    )
    end_with_this_process(process)
    return process


def _told(answer: bytes, code: int, who: str) -> Any:
    if code != 0:
        raise WorkerEndedError(
            who, "work that comes to its end", f"a process {_end(code)}", "Leave it out or make it less."
        )
    return told_of(pickle.loads(answer))


def told_of(answer: tuple[Any, Mapping[str, str] | None]) -> Any:
    """Returns the result in an answer. Raises the error that stands there in its place."""
    result, error = answer
    if error is not None:
        parts = error["who"], error["expected"], error["got"], error["do_next"]
        raise _ERRORS.get(error["kind"], WorkerEndedError)(*parts)
    return result


def _end(code: int) -> str:
    by = end_of(code)
    return f"that failed with code {code}" if by is None else f"ended by {by}"
