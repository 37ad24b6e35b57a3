"""Makes all threads allocate from one pool, maps large blocks apart, and returns free memory to the system.

Without this a window that is used for hours keeps growing.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time

# glibc's malloc.h: the parameter for the number of pools ("arenas"). The default is eight per core, and each keeps
# its largest size.
_M_ARENA_MAX = -8
# The parameter for the size, in bytes, from which memory is mapped in pages outside of the pools. Textures and arrays
# are larger than this.
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 1 << 16
# Seconds between two times that free memory is given back, which takes a hundredth of a second.
_SECONDS_BETWEEN = 0.5
# Seconds between two collections of objects that only refer to one another, which take a few hundredths.
_SECONDS_BETWEEN_CYCLES = 5.0


def collect_later() -> None:
    """Stops garbage collection until `keep_what_stands`: what is imported stays, and looking at it takes 0.1 s."""
    gc.disable()


def keep_what_stands() -> None:
    """Excludes all present objects (modules, functions, classes, the window) from garbage collection, which goes on.

    They are two objects of three, and most of the 30 ms that a full collection would take.
    """
    gc.freeze()
    gc.enable()


def share_one_pool() -> bool:
    """Makes threads that start from now on allocate from the first one's pool; False where the system has no pools.

    In a window that opened and compared again and again, 38 of 245 MiB were pools of other threads, and they grew.
    """
    return _set(_M_ARENA_MAX, 1)


def keep_large_apart() -> bool:
    """Makes the system map large blocks separately and unmap them at once; False where it has no pools.

    By default glibc raises the size limit to the largest block that was freed, up to 32 MiB. Textures then lie in the
    pool among long-lived memory. In 3,000 events a window grew by 18 MiB that way, and by 3 MiB with a fixed limit.
    """
    return _set(_M_MMAP_THRESHOLD, _LARGE_BYTES)


def _set(option: int, value: int) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).mallopt(option, value))
    except AttributeError:  # a C library other than glibc
        return False


class SpareMemory:
    """Gives free memory of the pool back to the system when the window is idle after some work.

    Free memory between long-lived blocks is useless to the system: after hours of opening and comparing, 59 of a
    window's 412 MiB were free, and more with each hour. Before that, and less often, objects that only refer to one
    another are collected: Python would wait until a quarter more exist, which kept the 6,800 edits of a finished
    search for as long as the window was open.
    """

    def __init__(
        self, seconds_between: float = _SECONDS_BETWEEN, seconds_between_cycles: float = _SECONDS_BETWEEN_CYCLES
    ) -> None:
        self._seconds_between, self._seconds_between_cycles = seconds_between, seconds_between_cycles
        self._is_due, self._are_cycles_due = False, False
        self._last = self._last_cycles = time.monotonic()

    def after(self, *, worked: bool, rests: bool) -> bool:
        """Records a turn of the window's loop: whether it did some `worked`, and whether the window now `rests`.

        Returns whether memory was given back.
        """
        self._is_due |= worked
        self._are_cycles_due |= worked
        now = time.monotonic()
        if worked or not rests:
            return False
        if self._are_cycles_due and now - self._last_cycles >= self._seconds_between_cycles:
            self._are_cycles_due, self._last_cycles = False, now
            gc.collect()
        elif not self._is_due or now - self._last < self._seconds_between:
            return False
        self._is_due, self._last = False, now
        return give_back()


def give_back() -> bool:
    """Gives all free pages of the pool back to the system; False where the system knows no pools."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0)))
    except AttributeError:  # a C library other than glibc
        return False
