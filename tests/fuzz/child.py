"""Runs one case in a forked process: runs the command, and records what it opens and how it ends."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, NoReturn

from tests.fuzz.box import Box
from tests.fuzz.case import Case
from tests.fuzz.entries import ENTRIES

# Beside the box, of the last case.
STDOUT, STDERR, CRASH, STACK, OPENED = "stdout", "stderr", "crash", "stack", "opened"
# The events by which Python reports file operations before they happen, and where their paths stand.
_OF_FILES = {
    "open": (0,), "os.listdir": (0,), "os.scandir": (0,), "os.remove": (0,), "os.rename": (0, 1), "os.mkdir": (0,),
    "os.rmdir": (0,), "os.link": (0, 1), "os.symlink": (1,), "os.truncate": (0,), "os.chmod": (0,),
    "shutil.rmtree": (0,),
}  # fmt: skip
_PARENT_DEATH_SIGNAL = 1  # of prctl
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_OF_OTHERS = ("socket.connect", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "ctypes.dlopen")


def be(case: Case, box: Box) -> NoReturn:
    """Runs the case and ends this process."""
    notes = box.folder.parent
    code = 1
    with (
        (notes / CRASH).open("w", buffering=1, encoding="utf-8", errors="backslashreplace") as crash,
        (notes / STACK).open("w", buffering=1, encoding="utf-8", errors="backslashreplace") as stack,
    ):
        try:
            _settle(case, box)
            faulthandler.enable(stack, all_threads=True)
            faulthandler.register(signal.SIGUSR1, stack, all_threads=True)
            _note_what_is_opened(notes / OPENED)
            code = ENTRIES[case.entry](list(case.words))
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:  # noqa: BLE001 - whatever it is, it is what is looked for
            crash.write(traceback.format_exc())
        finally:
            _flush(crash)
            os._exit(code & 0xFF)


def _settle(case: Case, box: Box) -> None:
    _redirect(box.folder.parent)
    os.setsid()
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # whoever ends the fuzzer ends this too
    os.environ.update({**box.environment(), **case.settings})
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    os.chdir(box.folder)


def _flush(crash: Any) -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # noqa: BLE001 - as above
            crash.write(traceback.format_exc())


def _redirect(notes: Path) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, name in ((1, STDOUT), (2, STDERR)):
        made = os.open(notes / name, flags, 0o600)
        os.dup2(made, number)
        os.close(made)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _note_what_is_opened(path: Path) -> None:
    notes = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    is_noting = False

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal is_noting
        if is_noting or (event not in _OF_FILES and event not in _OF_OTHERS):
            return
        is_noting = True
        try:
            paths = [arguments[place] for place in _OF_FILES.get(event, (0,)) if place < len(arguments)]
            if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
                event = "write"
            for each in paths:
                if isinstance(each, str | bytes | os.PathLike):
                    line = f"{event}\t{os.path.abspath(os.fsdecode(each))!a}\n"  # noqa: PTH100 - links stay as they are
                    os.write(notes, line.encode())
        except ValueError:  # a path that is none opens nothing
            pass
        finally:
            is_noting = False

    sys.addaudithook(note)
