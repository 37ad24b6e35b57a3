"""Limits the process of a worker, and ends it with its caller: nobody may be left to do so."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time

from texelscope.pipeline.workers.windows_job import limit_this_process

_WATCH_SECONDS = 0.5


def end_with(caller: int) -> None:
    """Ends this process, from a thread, when the process numbered `caller` that began it has ended, however it did."""
    threading.Thread(target=_watch, args=(caller,), daemon=True).start()


def _watch(caller: int) -> None:
    if os.name == "posix":
        parent = os.getppid()
        while os.getppid() == parent and _is_there(caller):
            time.sleep(_WATCH_SECONDS)
    else:  # the number of a parent stays when it is gone, and between it and the caller may be Python's launcher
        import psutil

        with contextlib.suppress(psutil.Error):
            psutil.Process(caller).wait()
    os._exit(1)


def _is_there(process: int) -> bool:
    """Returns whether a process of that number is left: the caller may end before this process asks for its parent."""
    with contextlib.suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True


def hold(seconds: float | None, most_bytes: int) -> None:
    """Limits this process to the processor time of all cores in `seconds`, and its memory; forbids a core dump.

    A limit that the system refuses is left out: macOS refuses that of memory.
    """
    most = None if seconds is None else math.ceil((seconds + 1.0) * 2 * (os.cpu_count() or 1))
    if sys.platform == "win32":
        limit_this_process(most, most_bytes)
        return
    import resource

    asked = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, most_bytes)]
    if most is not None:
        asked.append((resource.RLIMIT_CPU, most))
    for limit, value in asked:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))
