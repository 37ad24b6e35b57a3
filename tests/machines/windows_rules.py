"""Imitates what Windows alone refuses or does: names of files, open files, and limits by a job."""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import subprocess
import sys
from pathlib import Path, PurePath
from typing import Any

# learn.microsoft.com/windows/win32/fileio/naming-a-file
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
_REFUSED_LETTERS = set('<>:"|?*') | {chr(code) for code in range(32)}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
# Parts of this system that Windows has otherwise; what is done there is no matter of names.
_SYSTEM = ("/proc/", "/dev/", "/sys/", sys.prefix, sys.base_prefix)


def install() -> None:
    """Refuses to this whole process what Windows refuses."""
    sys.addaudithook(_heard)


def open_file(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    """Opens a file as `os.open` does on Windows: no folders, and no names beside an open folder."""
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    if Path(path).is_dir():
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    return os.open(path, flags, mode)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    is_written = event == "open" and isinstance(arguments[0], str) and arguments[2] & _WRITES
    if is_written or event == "os.mkdir":
        _check_name(arguments[0])
    elif event == "os.rename":
        _check_name(arguments[1])
        _check_closed(arguments[0])
        _check_closed(arguments[1])
    elif event in ("os.remove", "os.rmdir") and arguments[1] == -1:
        _check_closed(arguments[0])


def _check_name(path: object) -> None:
    text = os.fsdecode(path)  # type: ignore[arg-type]
    if text.startswith(_SYSTEM):
        return
    for part in PurePath(text).parts:
        is_reserved = part.partition(".")[0].lower() in _RESERVED
        if is_reserved or _REFUSED_LETTERS & set(part) or (part.strip(".") and part[-1] in ". "):
            raise OSError(errno.EINVAL, "Invalid argument", text)


def _check_closed(path: object) -> None:
    """Refuses what Windows refuses for a file that somebody has open, here this process itself."""
    text = Path(os.fsdecode(path)).absolute()  # type: ignore[arg-type]
    for number in Path("/proc/self/fd").iterdir():
        try:
            held = number.readlink()
        except OSError:
            continue
        if held == text:
            used = "The process cannot access the file because it is being used by another process"
            raise PermissionError(errno.EACCES, used, str(text))


class Kernel:
    """Stands for kernel32 as far as jobs go: limits that Windows sets by a job are set here by this system's means."""

    _MEMORY, _TIME, _WITH_HANDLE = 0x100, 0x2, 0x2000

    def __init__(self, _name: str, **_named: object) -> None:
        self._flags, self._bytes, self._seconds = 0, 0, 0.0
        for name in ("CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject", "GetCurrentProcess"):
            setattr(self, name, _Function(getattr(self, f"_{name}")))

    def _CreateJobObjectW(self, _security: object, _name: object) -> int:  # noqa: N802 - the system's own name
        return 64

    def _GetCurrentProcess(self) -> int:  # noqa: N802
        return -1

    def _SetInformationJobObject(self, _job: object, kind: int, data: Any, size: int) -> int:  # noqa: N802
        if kind != 9 or size != 144:  # JobObjectExtendedLimitInformation, of 144 bytes in 64 bits
            return 0
        told = bytes(ctypes.string_at(data, size))
        self._seconds = int.from_bytes(told[0:8], "little") / 1e7
        self._flags = int.from_bytes(told[16:20], "little")
        self._bytes = int.from_bytes(told[112:120], "little")
        return 1

    def _end_with_this(self, pid: int) -> int:
        """Has a shell end a process when this one is gone, as its last handle of the job would be."""
        alive = f"kill -0 {os.getpid()} && kill -0 {pid}"
        watching = f"while {alive}; do sleep 0.1; done 2>/dev/null; kill -9 {pid}"
        nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        subprocess.Popen(["sh", "-c", watching], start_new_session=True, **nowhere)  # type: ignore[call-overload]
        return 1

    def _AssignProcessToJobObject(self, _job: object, process: int) -> int:  # noqa: N802
        resource = importlib.import_module("resource")  # a Windows that is real has none
        pid = 0 if process == -1 else process  # a handle of `Popen` is the process's number here
        if self._flags & self._WITH_HANDLE:
            return self._end_with_this(pid)
        if self._flags & self._MEMORY:
            resource.prlimit(pid, resource.RLIMIT_AS, (self._bytes, self._bytes))
        if self._flags & self._TIME:
            seconds = max(1, round(self._seconds))
            resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds))
        return 1


class _Function:
    """A function of a library, which takes the types of its arguments as attributes."""

    def __init__(self, work: Any) -> None:
        self._work = work
        self.argtypes: object = None
        self.restype: object = None

    def __call__(self, *arguments: Any) -> Any:
        return self._work(*arguments)
