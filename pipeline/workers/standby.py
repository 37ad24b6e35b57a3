"""Keeps a process for calls of one function, one after the other: a crash there ends nothing here.

`in_a_process` makes a process for one call; this is for many short ones. Arguments and results are pickled, and come
from this program alone. A process that one caller is done with may serve the next: starting one takes longer than most
calls.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.workers.apart import WorkerEndedError, started, told_of

# The other side's answers: a result, or nothing more.
_Answers = queue.SimpleQueue[tuple[Any, dict[str, str] | None] | None]


class Standby:
    """Calls `function`, as in "package.module:name"; close it. One thread may call at a time."""

    def __init__(self, function: str, who: str, most_bytes: int) -> None:
        """Errors name it `who`; the process takes no more than `most_bytes` of address space."""
        self._function, self._who, self._most_bytes = function, who, most_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: _Answers = queue.SimpleQueue()
        self._listener: threading.Thread | None = None
        self.calls = 0
        self._is_asked = False

    def start(self) -> None:
        """Begins the process, which takes about half a second, and does not wait for it."""
        if self._process is not None:
            return
        self._process = started("texelscope.pipeline.workers.stand")
        self._answers = queue.SimpleQueue()
        self._listener = threading.Thread(target=_listen, args=(self._process, self._answers), daemon=True)
        self._listener.start()
        self._send((self._function, self._most_bytes))

    def call(self, *arguments: Any, seconds: float) -> Any:
        """Returns the function's result for the arguments.

        Raises the TexelscopeError that it raises, and WorkerEndedError where the process died or took longer than
        `seconds`: it is gone then, and the next call begins another.
        """
        self.ask(*arguments)
        return self.answer(seconds=seconds)

    def ask(self, *arguments: Any) -> None:
        """Begins a call; `answer` has to be called before the next one."""
        self.start()
        self.calls, self._is_asked = self.calls + 1, True
        self._send(arguments)

    def answer(self, *, seconds: float) -> Any:
        """Returns the result of the call that was begun, as `call` does."""
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            answer = None
        self._is_asked = False
        if answer is None:
            self.close()
            raise WorkerEndedError(self._who, "work that comes to its end", "a process that died", "Leave it out.")
        return told_of(answer)

    @property
    def has_answered(self) -> bool:
        """Whether the call has its answer, or never will have one: `answer` does not wait then."""
        return not self._answers.empty()

    def is_free(self) -> bool:
        """Whether the process lives and waits for a call; forgets the answer that nobody asked for."""
        if self._is_asked and self.has_answered:
            with contextlib.suppress(TexelscopeError):
                self.answer(seconds=0.0)
        return self._process is not None and self._process.poll() is None and not self._is_asked

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        listener, self._listener = self._listener, None
        if process is None or listener is None:
            return
        process.kill()
        if sys.is_finalizing():
            return  # the thread that reads the pipe has stopped for ever, and nobody else may close it
        listener.join()
        with contextlib.suppress(OSError), process:  # waits, and closes the pipes
            pass

    def _send(self, what: Any) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it may have died: then there is no answer
            pickle.dump(what, self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()


class SpareStandbys:
    """Keeps the processes that callers are done with, for the next caller. Any thread may call."""

    def __init__(self, function: str, who: str, most_bytes: int, *, most: int, seconds: float, most_calls: int) -> None:
        """The first three are as for `Standby`.

        At most `most` processes are kept, until none is given back for `seconds`. One that has answered `most_calls` is
        ended instead: what a library never frees adds up to the limit of its memory.
        """
        self._arguments = function, who, most_bytes
        self._most, self._seconds, self._most_calls = most, seconds, most_calls
        self._lock = threading.Lock()
        self._spares: list[Standby] = []
        self._owner = os.getpid()
        self._timer: threading.Timer | None = None
        atexit.register(self.close)

    def take(self) -> Standby:
        """Returns one that waits for a call, or else a new one, which has to be started."""
        with self._lock:
            if self._owner != os.getpid():  # a fork: the processes are of the one it came from
                self._spares, self._owner = [], os.getpid()
            free = next((each for each in self._spares if each.is_free()), None)
            if free is not None:
                self._spares.remove(free)
        return free or Standby(*self._arguments)

    def give_back(self, standby: Standby) -> None:
        """Keeps one that `take` returned, or ends it; it may still work on a call."""
        with self._lock:
            self._spares.append(standby)
            kept = [each for each in self._spares if each.calls < self._most_calls][-self._most :]
            ended = [each for each in self._spares if each not in kept]
            self._spares = kept
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(self._seconds, self.close)
            self._timer.daemon = True
            self._timer.start()
        for each in ended:
            each.close()

    def close(self) -> None:
        """Ends the processes that nobody uses."""
        with self._lock:
            ended, self._spares = self._spares, []
        if self._owner == os.getpid():
            for each in ended:
                each.close()


def _listen(process: subprocess.Popen[bytes], answers: _Answers) -> None:
    assert process.stdout is not None
    with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
        while True:
            answers.put(pickle.load(process.stdout))
    answers.put(None)
