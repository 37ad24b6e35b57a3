"""A command that has a time runs in a process of its own, which can be ended where nothing else can: in a driver."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from texelscope.ending import FAILED
from texelscope.layouts.errors import error_line
from texelscope.output import say

# Tells the process that it is the one; its value is who made it, so that it holds for no process further down.
_MARK = "TEXELSCOPE_IN_TIME"
# So much longer it may take to start, and to say itself that its time is over.
GRACE_SECONDS = 8.0
_END_SECONDS = 5.0


def run_in_time(words: Sequence[str]) -> int | None:
    """The exit code of the command that the words are, ended with a line where it outlives its --timeout.

    None where it is to run in this process: without a time, for a window, which lives on, and in that process itself.
    """
    seconds = _seconds(words)
    if seconds is None or os.name != "posix" or os.environ.get(_MARK) == str(os.getppid()) or not _is_command(words):
        return None
    process = subprocess.Popen([sys.executable, *sys.orig_argv[1:]], env={**os.environ, _MARK: str(os.getpid())})
    try:
        code = process.wait(seconds + GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return _say(
            words[0], "to be done in time", f"more than {seconds:g} s", "Give it longer with --timeout SECONDS."
        )
    except BaseException:
        process.terminate()  # it removes what is unfinished
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if code >= 0:
        return code
    name = next((each.name for each in signal.Signals if each.value == -code), f"signal {-code}")
    return _say(words[0], "a command that comes to its end", f"one ended by {name}", "Try --backend fragment.")


def _say(who: str, expected: str, got: str, do_next: str) -> int:
    say(error_line(who, expected, got, do_next))
    return FAILED


def _is_command(words: Sequence[str]) -> bool:
    name = words[0]
    return name.isidentifier() and name != "window" and (Path(__file__).parent / "commands" / f"{name}.py").is_file()


def _seconds(words: Sequence[str]) -> float | None:
    """What the words say of a time, as far as it is one."""
    given = [after for word, after in pairwise(words) if word == "--timeout"]
    given += [word.partition("=")[2] for word in words if word.startswith("--timeout=")]
    with contextlib.suppress(ValueError, IndexError):
        seconds = float(given[-1])
        return seconds if 0.0 <= seconds < math.inf else None
    return None
