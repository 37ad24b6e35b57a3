"""Memory out of one pool for all threads, large parts beside it; what is free goes back: hours of use do not add up."""

from __future__ import annotations

import ctypes
import gc
import sys
import time

# glibc's malloc.h: how many pools ("arenas") there may be; by default eight a core, each of which keeps its largest.
_M_ARENA_MAX = -8
# And from how many bytes on memory is taken beside the pools, by pages of its own. Textures and arrays are larger.
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 1 << 16
# Between two times that free memory is given back, which takes a hundredth of a second.
_SECONDS_BETWEEN = 0.5
# Between two times that objects which only hold one another are let go, which takes a few.
_SECONDS_BETWEEN_CYCLES = 5.0


def keep_what_stands() -> None:
    """Has Python's collector leave alone from now on what there is: modules, functions, classes, a window.

    Those are two objects of three, and most of the 30 ms that a collection of all would take.
    """
    gc.freeze()


def share_one_pool() -> bool:
    """Has threads that begin from now on allocate from the first one's pool; False where the system knows no pools.

    Of 245 MiB of a window that opens and compares again and again 38 were such pools, and they grew.
    """
    return _set(_M_ARENA_MAX, 1)


def keep_large_apart() -> bool:
    """Has the system give large memory by itself and take it back at once; False where it knows no pools.

    Left alone glibc raises its bound to the largest part that was freed so, up to 32 MiB: textures then lie in the
    pool, among what stays. In 3,000 events a window grew by 18 MiB then, and by 3 with a bound that stays.
    """
    return _set(_M_MMAP_THRESHOLD, _LARGE_BYTES)


def _set(option: int, value: int) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).mallopt(option, value))
    except AttributeError:  # another C library than glibc
        return False


class Spare:
    """Free memory of the pool, given back to the system when there is nothing to do after some work.

    Where what stays lies between what goes, the system is left with neither: of 412 MiB of a window after hours of
    opening and comparing 59 were free, and more from hour to hour. Objects that only hold one another are let go
    before, and less often: Python would wait until there are a quarter more, which kept the 6,800 edits of a search
    that was over for as long as the window.
    """

    def __init__(
        self, seconds_between: float = _SECONDS_BETWEEN, seconds_between_cycles: float = _SECONDS_BETWEEN_CYCLES
    ) -> None:
        self._seconds_between, self._seconds_between_cycles = seconds_between, seconds_between_cycles
        self._is_due, self._are_cycles_due = False, False
        self._last = self._last_cycles = time.monotonic()

    def after(self, *, worked: bool, rests: bool) -> bool:
        """A turn of the window's loop, which did some work, or after which there is nothing to do.

        Whether memory was given back.
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
    except AttributeError:  # another C library than glibc
        return False
