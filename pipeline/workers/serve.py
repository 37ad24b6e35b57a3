"""The other process: reads one call, makes it, writes what came of it. `python -m pipeline.workers.serve`."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import sys
import threading
import time
from importlib import import_module
from typing import Any

from texelscope.pipeline.errors import TexelscopeError

_WATCH_SECONDS = 0.5


def main() -> None:
    """Ends with code 0 and an answer, or with another one and none."""
    function, arguments, seconds, most_bytes = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    hold(seconds, most_bytes)
    with answers:
        pickle.dump(answer(function, arguments), answers, protocol=pickle.HIGHEST_PROTOCOL)


def answer(function: str, arguments: tuple[Any, ...]) -> tuple[Any, dict[str, str] | None]:
    """The result of a call, or the error that it raises, in words."""
    module, name = function.split(":")
    try:
        return getattr(import_module(module), name)(*arguments), None
    except TexelscopeError as error:
        kind = type(error).__name__
        return None, {
            "kind": kind, "who": error.who, "expected": error.expected, "got": error.got, "do_next": error.do_next
        }  # fmt: skip


def end_with(parent: int) -> None:
    """Ends this process with the one that asked, however that came to its end."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)


def hold(seconds: float | None, most_bytes: int) -> None:
    """Lets the system end what nobody is left to end: no more of the processor than all cores give in that time.

    Nor more memory, and no image of it where it fails.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
        if seconds is not None:
            most = math.ceil((seconds + 1.0) * 2 * (os.cpu_count() or 1))
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))


if __name__ == "__main__":
    main()
