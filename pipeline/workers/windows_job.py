"""Limits processes by a job of Windows, which has neither resource limits nor parents that take children along.

A job is a set of processes with limits of its own. See "Job Objects" in the documentation of Windows.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

_EXTENDED_LIMITS = 9
_TICKS_A_SECOND = 10_000_000
_LIMIT_TIME, _LIMIT_MEMORY, _NO_CRASH_WINDOW, _END_WITH_HANDLE = 0x2, 0x100, 0x400, 0x2000


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, with sizes that are the same on every system that reads this."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_bytes", ctypes.c_size_t),
        ("job_bytes", ctypes.c_size_t),
        ("peak_process_bytes", ctypes.c_size_t),
        ("peak_job_bytes", ctypes.c_size_t),
    )


@dataclass(frozen=True)
class _Job:
    kernel: Any
    handle: int

    def take(self, process: int) -> bool:
        """Puts a process into the job; returns whether the system agrees."""
        return bool(self.kernel.AssignProcessToJobObject(self.handle, process))


def limit_this_process(seconds: float | None, most_bytes: int) -> bool:
    """Ends this process when it has used so many seconds of processor time, and refuses it more memory.

    Returns whether the system agrees; elsewhere than on Windows it does not.
    """
    limits = _Limits(flags=_LIMIT_MEMORY | _NO_CRASH_WINDOW, process_bytes=most_bytes)
    if seconds is not None:
        limits.flags |= _LIMIT_TIME
        limits.process_time = int(seconds * _TICKS_A_SECOND)
    job = _new_job(limits)
    return job is not None and job.take(job.kernel.GetCurrentProcess())


def end_with_this_process(process: subprocess.Popen[Any]) -> None:
    """Makes Windows end a process when this one has ended, however it did; does nothing elsewhere."""
    job = _job_of_this_process()
    if job is not None:
        job.take(getattr(process, "_handle", 0))


@cache
def _job_of_this_process() -> _Job | None:
    """Returns a job whose only handle is this process's, so that it closes, and ends all in it, with this process."""
    return _new_job(_Limits(flags=_END_WITH_HANDLE | _NO_CRASH_WINDOW))


def _new_job(limits: _Limits) -> _Job | None:
    if sys.platform != "win32":
        return None
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle = ctypes.c_void_p
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = handle
    kernel.SetInformationJobObject.argtypes = (handle, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
    kernel.AssignProcessToJobObject.argtypes = (handle, handle)
    made = kernel.CreateJobObjectW(None, None)
    agrees = made and kernel.SetInformationJobObject(
        made, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
    )
    return _Job(kernel, made) if agrees else None
