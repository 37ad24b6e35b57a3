"""A process that has imported everything and forks a child a case: a case costs a tenth of a second, not a start.

No GL context is made before a fork: drivers have threads of their own, which a child would not have.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
import os
import pkgutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.fuzz.box import Box
from tests.fuzz.case import Case
from tests.fuzz.child import CRASH, OPENED, STACK, STDERR, STDOUT, be

MOST_BYTES = 4 << 30
# By the clock; but a machine with other work on it gives a case its time later, and how much later it reports: what has
# not had so much CPU, of all threads, is not late.
MOST_SECONDS, WALL_SHARE = 60.0, 3.0
# Who has used so little of a minute waits for something that does not come.
IDLE_SHARE = 0.1
# So long a process that ends with its parent may still be seen.
_GRACE_SECONDS = 2.0
_LOOK_SECONDS, _TREE_SECONDS = 0.01, 0.2
_SUBREAPER = 36  # of prctl
_LIBRARIES = ("EGL", "GL", "OpenGL")


@dataclass
class Ran:
    """Reports how a case ended. `ended` is "memory" or "time" if it was ended here; `signal` is 0 without one."""

    code: int = 0
    signal: int = 0
    ended: str = ""
    seconds: float = 0.0
    wall_seconds: float = 0.0
    queued_seconds: float = 0.0
    bytes_at_most: int = 0
    left_behind: list[str] = field(default_factory=list)
    stdout: str = ""
    stderr: str = ""
    crash: str = ""
    stack: str = ""
    opened: str = ""


class Server:
    """Runs cases one after the other, in `folder`, which is made empty for each."""

    def __init__(self, folder: Path, most_seconds: float = MOST_SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self.box = Box(folder / "box")
        self._notes = folder
        self._most_seconds, self._most_bytes = most_seconds, most_bytes
        os.environ.setdefault("MESA_SHADER_CACHE_DIR", str(folder / "programs"))
        os.environ.update(self.box.environment())
        _warm()
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)

    def run(self, case: Case) -> Ran:
        """Runs it in a child, and ends what takes too much."""
        self.box.fill(case)
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            be(case, self.box)
        ran = Ran()
        self._watch(child, ran)
        ran.left_behind = _end_all_others()
        for name, most in ((STDOUT, 1 << 26), (STDERR, 1 << 20), (CRASH, 1 << 20), (STACK, 1 << 20), (OPENED, 1 << 24)):
            with (self._notes / name).open("rb") as file:
                # Names that are no text stay what they are: the judge is to see them.
                setattr(ran, name, file.read(most).decode("utf-8", errors="backslashreplace"))
        return ran

    def _watch(self, child: int, ran: Ran) -> None:
        started = looked = time.monotonic()
        while True:
            done, status, usage = os.wait4(child, os.WNOHANG)
            now = time.monotonic()
            if done:
                ran.wall_seconds = now - started
                ran.seconds = max(ran.seconds, usage.ru_utime + usage.ru_stime)
                ran.bytes_at_most = max(ran.bytes_at_most, usage.ru_maxrss << 10)
                if os.WIFSIGNALED(status) and not ran.ended:
                    ran.signal = os.WTERMSIG(status)
                elif os.WIFEXITED(status):
                    ran.code = os.WEXITSTATUS(status)
                if not ran.ended and ran.bytes_at_most > self._most_bytes:
                    ran.ended = "memory"
                return
            if now - looked >= (_TREE_SECONDS if now - started > 1.0 else _LOOK_SECONDS):
                looked = now
                _measure(child, ran, with_others=now - started > 1.0)
                ran.wall_seconds = now - started
                too_much = self._too_much(ran)
                if too_much and not ran.ended:
                    ran.ended = too_much
                    _end(child)
            time.sleep(_LOOK_SECONDS)

    def _too_much(self, ran: Ran) -> str:
        if ran.bytes_at_most > self._most_bytes:
            return "memory"
        own = max(ran.wall_seconds - ran.queued_seconds, ran.seconds)
        waits = own > self._most_seconds and ran.seconds < IDLE_SHARE * own
        over = min(ran.seconds, ran.wall_seconds) > self._most_seconds or own > WALL_SHARE * self._most_seconds
        return "time" if waits or over else ""


def _measure(child: int, ran: Ran, *, with_others: bool) -> None:
    """Measures the child and its own children, which takes a look at every process there is."""
    resident, seconds, queued = 0, 0.0, 0.0
    with suppress(psutil.Error):
        parent = psutil.Process(child)
        for each in (parent, *(parent.children(recursive=True) if with_others else ())):
            with suppress(psutil.Error):
                times = each.cpu_times()
                seconds += times.user + times.system
                resident += each.memory_info().rss
                queued += _queued(each.pid)
    ran.bytes_at_most = max(ran.bytes_at_most, resident)
    ran.seconds = max(ran.seconds, seconds)
    ran.queued_seconds = max(ran.queued_seconds, queued)


def _queued(number: int) -> float:
    """Returns seconds for which threads of a process waited for the cores; 0 where the system does not report it."""
    found = 0.0
    for told in Path(f"/proc/{number}/task").glob("*/schedstat"):
        with suppress(OSError, ValueError, IndexError):  # a thread that has ended meanwhile
            found += int(told.read_text().split()[1]) / 1e9
    return found


def _end(child: int) -> None:
    """Has the child say where it is, and ends it with all that it started."""
    with suppress(psutil.Error):
        others = psutil.Process(child).children(recursive=True)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGUSR1)
        time.sleep(0.3)
        for each in others:
            with suppress(psutil.Error):
                each.kill()
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def _end_all_others() -> list[str]:
    """Ends what the child left running; what does not end with it is named."""
    own, until = psutil.Process(), time.monotonic() + _GRACE_SECONDS
    while True:
        _reap()
        others = [each for each in own.children(recursive=True) if each.status() != psutil.STATUS_ZOMBIE]
        if not others:
            return []
        if time.monotonic() > until:
            break
        time.sleep(0.02)
    names = []
    for each in others:
        with suppress(psutil.Error):
            names.append(" ".join(each.cmdline())[:200])
            each.kill()
    time.sleep(0.05)
    _reap()
    return names


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _warm() -> None:
    """Imports all that a command may import, and loads the libraries of GL."""
    for root in ("texelscope.layouts", "texelscope.pipeline", "texelscope.commands"):
        package = importlib.import_module(root)
        for info in pkgutil.walk_packages(package.__path__, f"{root}."):
            if not info.name.endswith("__main__"):
                importlib.import_module(info.name)
    for name in (
        "texelscope.command_line",
        "onnx.reference.ops._op_list",
        "onnx.checker",
        "moderngl",
        "tree_sitter_glsl",
        "OpenEXR",
    ):
        with suppress(ImportError):
            importlib.import_module(name)
    for library in _LIBRARIES:
        found = ctypes.util.find_library(library)
        if found:
            with suppress(OSError):
                ctypes.CDLL(found)
