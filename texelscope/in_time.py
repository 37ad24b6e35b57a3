"""Runs a command that has a --timeout in a process that can be ended anywhere, even in a driver."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from texelscope.ending import FAILED
from texelscope.layouts.errors import error_line
from texelscope.output import say
from texelscope.pipeline.workers.ended_by import end_of
from texelscope.pipeline.workers.windows_job import end_with_this_process

# Marks the timed process, which takes the mark away so that processes further down do not find it. No parent's number
# says it: on Windows, Python in a virtual environment is a launcher between the two.
_MARK = "TEXELSCOPE_IN_TIME"
# The extra time to start, and to report the end of its time.
GRACE_SECONDS = 8.0
_END_SECONDS = 5.0


def run_in_time(words: Sequence[str]) -> int | None:
    """Runs the command in a process and returns its exit code; reports and ends it if it outlives its --timeout.

    Returns None if it must run in this process: without a time, for a window, or in the timed process itself.
    """
    seconds, is_timed = _seconds(words), os.environ.pop(_MARK, "") != ""
    if seconds is None or is_timed or not _is_command(words):
        return None
    process = subprocess.Popen(
        [sys.executable, *sys.orig_argv[1:]], env={**os.environ, _MARK: "1"}, stdout=_own_output()
    )
    end_with_this_process(process)
    try:
        code = process.wait(seconds + GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return _say(
            words[0], "to be done in time", f"more than {seconds:g} s", "Give it longer with --timeout SECONDS."
        )
    except BaseException:
        if os.name == "posix":  # on Windows Ctrl+C reaches it as well, and this would be no request but its end
            process.terminate()  # it removes unfinished files
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    ended_by = end_of(code)
    if ended_by is None:
        return code
    return _say(words[0], "a command that finishes", f"one ended by {ended_by}", "Try --backend fragment.")


def _own_output() -> int | None:
    """Returns where this command's product goes, which is no longer file descriptor 1, see `texelscope.ending`."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return sys.stdout.fileno()
    return None


def _say(who: str, expected: str, got: str, do_next: str) -> int:
    say(error_line(who, expected, got, do_next))
    return FAILED


def _is_command(words: Sequence[str]) -> bool:
    name = words[0]
    return name.isidentifier() and name != "window" and (Path(__file__).parent / "commands" / f"{name}.py").is_file()


def _seconds(words: Sequence[str]) -> float | None:
    """Returns the time in the words, if they name a valid one."""
    given = [after for word, after in pairwise(words) if word == "--timeout"]
    given += [word.partition("=")[2] for word in words if word.startswith("--timeout=")]
    with contextlib.suppress(ValueError, IndexError):
        seconds = float(given[-1])
        return seconds if 0.0 <= seconds < math.inf else None
    return None
