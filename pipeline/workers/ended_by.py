"""Names what ended a process, by its exit code."""

from __future__ import annotations

import signal

# From here on the exit code of a process on Windows is the status of an exception that ended it (NTSTATUS).
_LEAST_STATUS = 0x80000000
# The status of an exception that Windows ends a process for.
_STATUS = {
    0xC0000005: "an access violation",
    0xC0000017: "a lack of memory",
    0xC000001D: "an illegal instruction",
    0xC0000044: "its limit of time",
    0xC0000094: "a division by zero",
    0xC00000FD: "a stack overflow",
    0xC000013A: "Ctrl+C",
    0xC0000409: "a failed internal check",
}


def end_of(code: int) -> str | None:
    """Returns the signal or the exception of Windows that an exit code stands for; None for the process's own code."""
    if 0 <= code < _LEAST_STATUS:
        return None
    if code < 0:
        return next((each.name for each in signal.Signals if each.value == -code), f"signal {-code}")
    return _STATUS.get(code, f"exception 0x{code:08X}")
